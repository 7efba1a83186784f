import { randomUUID } from 'node:crypto'
import type WebSocket from 'ws'
import { ServerProcess } from '../measure/server-process.ts'
import { onPayload, openSocket, PendingRequests } from './client-socket.ts'
import type { BenchClient, BenchSubject, RunningSubject } from './subject.ts'

/**
 * A client of the protocol of socket.io 4.8 (Engine.IO 4, Socket.IO 5). The official client would cost the load
 * generator more than ours: https://socket.io/docs/v4/engine-io-protocol/, .../socket-io-protocol/
 */
export const socketIo: BenchSubject = { name: 'socket.io 4.8', start: () => start('json') }

/** The same with MessagePack bytes in its events instead of JSON. */
export const socketIoBinary: BenchSubject = { name: 'socket.io 4.8, binary', start: () => start('binary') }

/** The same with joins coalesced by our rules. */
export const socketIoCoalesced: BenchSubject = {
  name: 'socket.io 4.8, coalesced',
  start: () => start('json', 'coalesced'),
}

async function start(payload: 'json' | 'binary', joins: 'each' | 'coalesced' = 'each'): Promise<RunningSubject> {
  const environment = { PAYLOAD: payload, JOINS: joins }
  return new RunningSocketIo(await ServerProcess.start('bench/peers/socket-io.ts', { environment }))
}

class RunningSocketIo implements RunningSubject {
  readonly server: ServerProcess
  #rooms = 0

  constructor(program: ServerProcess) {
    this.server = program
  }

  async prepareClients(people: number): Promise<(() => Promise<SocketIoClient>)[]> {
    const url = `ws://127.0.0.1:${this.server.port}/socket.io/?EIO=4&transport=websocket`
    return Array.from({ length: people }, () => async () => {
      const client = new SocketIoClient(await openSocket(url))
      await client.connected
      return client
    })
  }

  async openRoom(clients: BenchClient[]): Promise<number> {
    const roomId = ++this.#rooms
    // prepareClients returns socket.io clients.
    await Promise.all((clients as SocketIoClient[]).map((client) => client.joinRoom(roomId)))
    return roomId
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

const Packet = { open: '0', ping: '2', pong: '3', connect: '40', event: '42', ack: '43' } as const

class SocketIoClient implements BenchClient {
  onPayload: (payload: Buffer) => void = () => {}
  readonly connected: Promise<void>
  readonly #socket: WebSocket
  readonly #answers = new PendingRequests()
  #roomId = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<void>()
    this.connected = promise
    socket.send(Packet.connect)
    onPayload(socket, (payload) => this.#readPayload(payload, resolve))
  }

  async joinRoom(roomId: number): Promise<void> {
    this.#roomId = roomId
    await this.#emit('joinRoom', { roomId })
  }

  sendMessage(content: string): Promise<void> {
    return this.#emit('sendMessage', { roomId: this.#roomId, content, clientId: randomUUID() })
  }

  close(): void {
    this.#socket.terminate()
  }

  #emit(name: string, payload: object): Promise<void> {
    const { id, answered } = this.#answers.addRequest()
    this.#socket.send(`${Packet.event}${id}${JSON.stringify([name, payload])}`)
    return answered
  }

  #readPayload(payload: Buffer, connected: () => void): void {
    const kind = String.fromCharCode(payload[0] ?? 0)
    if (kind === Packet.ping) this.#socket.send(Packet.pong)
    if (kind === '4' && payload[1] !== 0x32) {
      const text = payload.toString()
      if (text.startsWith(Packet.connect)) connected()
      if (text.startsWith(Packet.ack)) this.#answers.settleRequest(Number.parseInt(text.slice(Packet.ack.length), 10))
    }
    this.onPayload(payload)
  }
}
