import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Endpoint } from './source-table.ts'

/** Room for bursts while the thread is busy; the kernel may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024

type OnDatagram = (data: Buffer, endpoint: Endpoint, address: string, port: number) => void

/** A bound UDP socket. */
export interface UdpEndpoint extends Endpoint {
  close(): void
}

/**
 * Binds a UDP socket. Rejects with the system's error. Later errors of the socket go to `onError`; a packet that cannot be sent
 * is lost without one.
 */
export async function openUdpEndpoint(
  host: string,
  port: number,
  onDatagram: OnDatagram,
  onError: (error: Error) => void,
): Promise<UdpEndpoint> {
  const family = isIPv6(host) ? 6 : 4
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    recvBufferSize: RECEIVE_BUFFER_BYTES,
    // Every send asks for the address. The default answers after a turn of the event loop, even for an address.
    lookup: (hostname, _options, callback) => callback(null, hostname, family),
  })
  const endpoint = createEndpoint(socket)
  socket.on('message', (data, { address, port: sourcePort }) => onDatagram(data, endpoint, address, sourcePort))
  try {
    // With this lookup the socket listens before bind returns.
    const listening = once(socket, 'listening')
    socket.bind(port, host)
    await listening
  } catch (error) {
    socket.close()
    throw error
  }
  socket.on('error', onError)
  return endpoint
}

function createEndpoint(socket: Socket): UdpEndpoint {
  return {
    // Without a callback a failed send is silent, and nothing is scheduled for it.
    send: (data, port, address) => socket.send(data, port, address),
    release: () => {},
    close: () => socket.close(),
  }
}
