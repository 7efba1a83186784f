import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { decodeClientFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import { createPeerMessage, type PeerMessageInput } from './peer-message.ts'

/**
 * The ceiling of fan-out in Node: one room, each message encoded and framed once and written to every raw socket.
 * No session, no room, no log, no backpressure, no answer.
 */
const BINARY = 0x82
const http = createServer((_, response) => response.end())
const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const listeners = new Set<Duplex>()
let lastId = 0

http.on('upgrade', (request, socket, head) => {
  webSockets.handleUpgrade(request, socket, head, (webSocket) => {
    listeners.add(socket)
    webSocket.on('close', () => listeners.delete(socket))
    // ws emits Buffers by default.
    webSocket.on('message', (data) => publish(data as Buffer))
  })
})

function publish(data: Buffer): void {
  for (const [, , , input] of decodeClientFrame(data) ?? []) {
    lastId += 1
    // The client of the bench sends these fields.
    const message = createPeerMessage(lastId, input as unknown as PeerMessageInput)
    const framed = frame(encode([Kind.event, lastId, 'message', message]))
    for (const listener of listeners) listener.write(framed)
  }
}

/** Encodes an unmasked binary frame of up to 65,535 bytes (RFC 6455, section 5.2), as `Sender.frame` of ws does. */
function frame(payload: Uint8Array): Buffer {
  const header = payload.length < 126 ? Buffer.alloc(2) : Buffer.alloc(4)
  header[0] = BINARY
  header[1] = payload.length < 126 ? payload.length : 126
  if (header.length === 4) header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}

http.listen(Number(process.env.PORT), '127.0.0.1', 4096)
