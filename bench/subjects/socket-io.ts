import { randomUUID } from 'node:crypto'
import type WebSocket from 'ws'
import { ServerProcess } from '../measure/server-process.ts'
import { onPayload, openSocket, PendingRequests } from './client-socket.ts'
import type { BenchClient, BenchSubject, RunningSubject } from './subject.ts'

/**
 * socket.io 4.8, spoken to in its own protocol (Engine.IO 4, Socket.IO 5) without its client, which would cost the load
 * generator more than ours does: https://socket.io/docs/v4/engine-io-protocol/, .../socket-io-protocol/
 */
export const socketIo: BenchSubject = { name: 'socket.io 4.8', start: () => start('json') }

/** The same with MessagePack bytes in its events instead of JSON. */
export const socketIoBinary: BenchSubject = { name: 'socket.io 4.8, binary', start: () => start('binary') }

/** The same, and who comes is gathered as we do it. */
export const socketIoCoalesced: BenchSubject = {
  name: 'socket.io 4.8, gathered',
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
      const visitor = new SocketIoClient(await openSocket(url))
      await visitor.connected
      return visitor
    })
  }

  async openRoom(visitors: BenchClient[]): Promise<number> {
    const roomId = ++this.#rooms
    // Every visitor here came through `invite`.
    await Promise.all((visitors as SocketIoClient[]).map((visitor) => visitor.joinRoom(roomId)))
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
    onPayload(socket, (payload) => this.#hear(payload, resolve))
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

  #hear(payload: Buffer, connected: () => void): void {
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
