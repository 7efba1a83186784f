import { randomUUID } from 'node:crypto'
import type WebSocket from 'ws'
import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { ServerProcess } from '../measure/server-process.ts'
import { onPayload, openSocket } from './client-socket.ts'
import type { BenchClient, BenchSubject, RunningSubject } from './subject.ts'

/** The ceiling: one framed buffer written to raw sockets. */
export const rawLoop: BenchSubject = {
  name: 'raw framed loop',
  start: async () => new RunningRawLoop(await ServerProcess.start('bench/peers/raw-loop.ts')),
}

class RunningRawLoop implements RunningSubject {
  readonly server: ServerProcess

  constructor(program: ServerProcess) {
    this.server = program
  }

  async prepareClients(people: number): Promise<(() => Promise<BenchClient>)[]> {
    const url = `ws://127.0.0.1:${this.server.port}/live`
    return Array.from({ length: people }, () => async () => toBenchClient(await openSocket(url)))
  }

  /** The peer has one room with every connection in it. */
  async openRoom(): Promise<number> {
    return 1
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

function toBenchClient(socket: WebSocket): BenchClient {
  const client: BenchClient = {
    onPayload: () => {},
    joinRoom: async () => {}, // all are in one room
    sendMessage: async (content) => {
      socket.send(encode([Kind.request, 1, 'sendMessage', { roomId: 1, content, clientId: randomUUID() }]))
    },
    close: () => socket.terminate(),
  }
  onPayload(socket, (payload) => client.onPayload(payload))
  return client
}
