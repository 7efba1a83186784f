import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'

/** A packet of TCP or UDP. */
export interface CapturedPacket {
  protocol: 'tcp' | 'udp'
  source: string
  sourcePort: number
  destination: string
  destinationPort: number
  /** What the packet carries: without the headers of IP, TCP and UDP. */
  payload: Buffer
}

const FILE_HEADER_BYTES = 24
const PACKET_HEADER_BYTES = 16

/** The packets of a file as libpcap writes it, with the link type 'raw'; those of other protocols are left out. */
export function readCapture(path: string): CapturedPacket[] {
  const file = readFileSync(path)
  const packets: CapturedPacket[] = []
  for (let offset = FILE_HEADER_BYTES; offset < file.length; ) {
    const start = offset + PACKET_HEADER_BYTES
    offset = start + file.readUInt32LE(offset + 8)
    const packet = parsePacket(file.subarray(start, offset))
    if (packet) packets.push(packet)
  }
  return packets
}

function parsePacket(packet: Buffer): CapturedPacket | null {
  const { protocol, addresses, segment } = packet.readUInt8(0) >> 4 === 4 ? parseIPv4(packet) : parseIPv6(packet)
  if (protocol !== 6 && protocol !== 17) return null
  const headerBytes = protocol === 17 ? 8 : (segment.readUInt8(12) >> 4) * 4
  return {
    protocol: protocol === 17 ? 'udp' : 'tcp',
    ...addresses,
    sourcePort: segment.readUInt16BE(0),
    destinationPort: segment.readUInt16BE(2),
    payload: segment.subarray(headerBytes),
  }
}

function parseIPv4(packet: Buffer) {
  const text = (offset: number) => packet.subarray(offset, offset + 4).join('.')
  const segment = packet.subarray((packet.readUInt8(0) & 15) * 4, packet.readUInt16BE(2))
  return { protocol: packet.readUInt8(9), addresses: { source: text(12), destination: text(16) }, segment }
}

function parseIPv6(packet: Buffer) {
  const text = (offset: number) =>
    normalizeIPv6(packet.toString('hex', offset, offset + 16).replace(/.{4}(?!$)/g, '$&:'))
  return {
    protocol: packet.readUInt8(6),
    addresses: { source: text(8), destination: text(24) },
    segment: packet.subarray(40),
  }
}

/** An IPv6 address as others write it (RFC 5952); anything else unchanged. */
export function normalizeIPv6(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}
