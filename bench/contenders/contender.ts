import type { Program } from '../measure/program.ts'

/** A server that serves, whoever started it. */
export type Serving = Pick<Program, 'origin' | 'port' | 'cpuSeconds' | 'residentBytes' | 'stop'>

/** A chat server that can be put beside ours. */
export interface Contender {
  name: string
  /** Starts the server in a process of its own. */
  start(): Promise<Site>
}

/** A contender that runs. */
export interface Site {
  program: Serving
  /** Does whatever must be done before `people` may connect, and answers with one door for each. */
  invite(people: number): Promise<Door[]>
  /** A new room with these visitors in it; the first of them may talk without chat limits. Answers its id. */
  openRoom(visitors: Visitor[]): Promise<number>
  stop(): Promise<void>
}

/** Connects one person; resolves once the server knows who it is. */
export type Door = () => Promise<Visitor>

/** A person with an open socket. */
export interface Visitor {
  /** Called with every WebSocket payload that the server sends. */
  onPayload: (payload: Buffer) => void
  /** Enters a room and leaves the one before; resolves once the server has answered. */
  join(roomId: number): Promise<void>
  /** Says something in the room; resolves once the server has answered, rejects when it refused. */
  say(content: string): Promise<void>
  close(): void
}

/** Connects many people, a few at a time, so that no listen queue overflows. */
export async function connectAll(doors: Door[], atOnce = 50): Promise<Visitor[]> {
  const visitors: Visitor[] = []
  for (let from = 0; from < doors.length; from += atOnce) {
    visitors.push(...(await Promise.all(doors.slice(from, from + atOnce).map((open) => open()))))
  }
  return visitors
}
