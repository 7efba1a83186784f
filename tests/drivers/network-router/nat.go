package main

import "net/netip"

// firstPort is the first that a translated connection gets; each gets the next.
const firstPort = 20_000

// flow is a client's own end of a connection, or the public end.
type flow struct {
	protocol byte
	endpoint netip.AddrPort
}

// permission lets a remote endpoint send to a public one.
type permission struct {
	public flow
	remote netip.AddrPort
}

// nat translates a client's IPv4 addresses as a home router does: one public port for each port of the client, which
// accepts packets only of endpoints that the client has sent to (RFC 4787, sections 4.1 and 5).
type nat struct {
	address  netip.Addr
	nextPort uint16
	outward  map[flow]netip.AddrPort
	inward   map[flow]netip.AddrPort
	allowed  map[permission]bool
}

func newNat(address netip.Addr) *nat {
	translation := &nat{address: address, nextPort: firstPort}
	translation.rebind()
	return translation
}

// rebind forgets all connections, as a router that restarts: those that go on get other public ports.
func (n *nat) rebind() {
	n.outward = map[flow]netip.AddrPort{}
	n.inward = map[flow]netip.AddrPort{}
	n.allowed = map[permission]bool{}
}

// translateOutward gives a packet its public source. Returns false for one that cannot be translated.
func (n *nat) translateOutward(sent packet) bool {
	if !sent.hasPorts {
		return false
	}
	own := flow{sent.protocol, sent.source()}
	public, isKnown := n.outward[own]
	if !isKnown {
		public = netip.AddrPortFrom(n.address, n.nextPort)
		n.nextPort++
		n.outward[own] = public
		n.inward[flow{sent.protocol, public}] = own.endpoint
	}
	n.allowed[permission{flow{sent.protocol, public}, sent.destination()}] = true
	sent.setSource(public)
	return true
}

// translateInward gives a packet the client's own address. Returns false for one that nothing was sent to.
func (n *nat) translateInward(received packet) bool {
	public := flow{received.protocol, received.destination()}
	own, isKnown := n.inward[public]
	if !isKnown || !n.allowed[permission{public, received.source()}] {
		return false
	}
	received.setDestination(own)
	return true
}
