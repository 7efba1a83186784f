import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A TCP connection from an address of 127.0.0.0/8; errors are ignored, because 'close' follows. */
export async function openRaw(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Opens `count` connections of one address. */
export function openManyRaw(port: number, localAddress: string, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openRaw(port, localAddress)))
}

/** Upgrades to WebSocket without a client library. Resolves with whether the server agreed. */
export async function upgradeRaw(socket: Socket, origin: string): Promise<boolean> {
  const key = randomBytes(16).toString('base64')
  const answered = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(
    `GET /live HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  return String((await answered)[0]).startsWith('HTTP/1.1 101')
}

/** A masked frame of a client with a zero mask. `head` is FIN and opcode; the payload is shorter than 126 bytes. */
export function clientFrame(head: number, payload: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.concat([Buffer.from([head, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** Writes and resolves once the bytes are handed to the system, or the connection is closed. */
export async function writeAll(socket: Socket, bytes: Buffer | string): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.write(bytes, () => resolve())
  })
}
