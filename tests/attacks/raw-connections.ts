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

/** Writes and resolves once the bytes are handed to the system, or the connection is closed. */
export async function writeAll(socket: Socket, bytes: Buffer | string): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.write(bytes, () => resolve())
  })
}
