package main

import (
	"encoding/binary"
	"net/netip"
)

const (
	protocolTCP = 6
	protocolUDP = 17
)

// packet is an IPv4 or IPv6 packet. Ports are those of TCP and UDP; other protocols have none.
type packet struct {
	bytes     []byte
	isIPv6    bool
	protocol  byte
	transport int // where the header of TCP or UDP begins
	hasPorts  bool
}

// parsePacket returns false for bytes that are no packet, or not a whole one.
func parsePacket(bytes []byte) (packet, bool) {
	if len(bytes) < 20 {
		return packet{}, false
	}
	parsed := packet{bytes: bytes}
	switch bytes[0] >> 4 {
	case 4:
		parsed.transport = int(bytes[0]&15) * 4
		parsed.protocol = bytes[9]
		isFragment := binary.BigEndian.Uint16(bytes[6:])&0x3fff != 0
		parsed.hasPorts = !isFragment
	case 6:
		if len(bytes) < 40 {
			return packet{}, false
		}
		parsed.isIPv6 = true
		parsed.transport = 40
		parsed.protocol = bytes[6]
		parsed.hasPorts = true
	default:
		return packet{}, false
	}
	needed := map[byte]int{protocolTCP: 20, protocolUDP: 8}[parsed.protocol]
	parsed.hasPorts = parsed.hasPorts && needed > 0 && len(bytes) >= parsed.transport+needed
	return parsed, true
}

func (p packet) source() netip.AddrPort      { return p.endpoint(12, 8, 0) }
func (p packet) destination() netip.AddrPort { return p.endpoint(16, 24, 2) }

func (p packet) setSource(endpoint netip.AddrPort)      { p.setEndpoint(12, 0, endpoint) }
func (p packet) setDestination(endpoint netip.AddrPort) { p.setEndpoint(16, 2, endpoint) }

func (p packet) endpoint(offset4, offset6, portOffset int) netip.AddrPort {
	var address netip.Addr
	if p.isIPv6 {
		address = netip.AddrFrom16([16]byte(p.bytes[offset6 : offset6+16]))
	} else {
		address = netip.AddrFrom4([4]byte(p.bytes[offset4 : offset4+4]))
	}
	if !p.hasPorts {
		return netip.AddrPortFrom(address, 0)
	}
	return netip.AddrPortFrom(address, binary.BigEndian.Uint16(p.bytes[p.transport+portOffset:]))
}

// setEndpoint changes an IPv4 address and its port, and the checksums that cover them.
func (p packet) setEndpoint(offset, portOffset int, endpoint netip.AddrPort) {
	address := endpoint.Addr().As4()
	port := binary.BigEndian.AppendUint16(nil, endpoint.Port())
	field, portField := p.bytes[offset:offset+4], p.bytes[p.transport+portOffset:p.transport+portOffset+2]
	adjust(p.bytes[10:12], field, address[:])
	checksum := p.bytes[p.transport+map[byte]int{protocolTCP: 16, protocolUDP: 6}[p.protocol]:][:2]
	if isUsed := p.protocol == protocolTCP || checksum[0] != 0 || checksum[1] != 0; isUsed {
		adjust(checksum, field, address[:])
		adjust(checksum, portField, port)
		if p.protocol == protocolUDP && checksum[0] == 0 && checksum[1] == 0 {
			checksum[0], checksum[1] = 0xff, 0xff // zero means that there is none (RFC 768)
		}
	}
	copy(field, address[:])
	copy(portField, port)
}

// adjust updates a checksum for bytes that change (RFC 1624, section 3).
func adjust(checksum, before, after []byte) {
	sum := uint32(^binary.BigEndian.Uint16(checksum))
	for i := 0; i < len(before); i += 2 {
		sum += uint32(^binary.BigEndian.Uint16(before[i:])) + uint32(binary.BigEndian.Uint16(after[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	binary.BigEndian.PutUint16(checksum, ^uint16(sum))
}
