import { randomUUID } from 'node:crypto'
import type WebSocket from 'ws'
import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { Program } from '../measure/program.ts'
import type { Contender, Site, Visitor } from './contender.ts'
import { onPayload, openSocket } from './socket.ts'

/** The ceiling: one framed buffer written to raw sockets. */
export const rawLoop: Contender = {
  name: 'raw framed loop',
  start: async () => new RawSite(await Program.start('bench/peers/raw-loop.ts')),
}

class RawSite implements Site {
  readonly program: Program

  constructor(program: Program) {
    this.program = program
  }

  async invite(people: number): Promise<(() => Promise<Visitor>)[]> {
    const url = `ws://127.0.0.1:${this.program.port}/live`
    return Array.from({ length: people }, () => async () => toVisitor(await openSocket(url)))
  }

  /** There is but one room, and whoever is connected is in it. */
  async openRoom(): Promise<number> {
    return 1
  }

  stop(): Promise<void> {
    return this.program.stop()
  }
}

function toVisitor(socket: WebSocket): Visitor {
  const visitor: Visitor = {
    onPayload: () => {},
    join: async () => {}, // all are in one room
    say: async (content) => {
      socket.send(encode([Kind.request, 1, 'sendMessage', { roomId: 1, content, clientId: randomUUID() }]))
    },
    close: () => socket.terminate(),
  }
  onPayload(socket, (payload) => visitor.onPayload(payload))
  return visitor
}
