import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serveLines } from './serve-lines.ts'

/** The ceiling of relays in Node: passes every datagram on, by its source alone, and looks at none. */
const PORT_BASE = 65_536
const targets = new Map<number, { port: number; address: string }>()
const socket = createSocket({
  type: 'udp4',
  recvBufferSize: 4 << 20,
  lookup: (hostname, _options, callback) => callback(null, hostname, 4),
})
socket.on('message', (data, { address, port }) => {
  const target = targets.get(toKey(address, port))
  if (target) socket.send(data, target.port, target.address)
})
// With this lookup the socket listens before bind returns.
const listening = once(socket, 'listening')
socket.bind(0, '127.0.0.1')
await listening
const own: AddressInfo = socket.address()

/** The offer's address waits for that of the answer. */
const offering = new Map<number, { port: number; address: string }>()
await serveLines(({ op, call, sdp }) => {
  const [line = '', address = '', port = ''] = /(127\.\S+) (\d+) typ host/.exec(sdp) ?? []
  const source = { address, port: Number(port) }
  const caller = offering.get(call)
  if (op === 'offer') offering.set(call, source)
  else if (caller) {
    targets.set(toKey(caller.address, caller.port), source)
    targets.set(toKey(source.address, source.port), caller)
  }
  return { sdp: sdp.replaceAll(line, `${own.address} ${own.port} typ host`) }
})

/** A number is found faster than a text: IPv4 address and port. */
function toKey(address: string, port: number): number {
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0) * PORT_BASE + port
}
