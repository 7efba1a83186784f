import type { ServerProcess } from '../measure/server-process.ts'

/** A server that serves, whoever started it. */
export type MeasuredServer = Pick<ServerProcess, 'origin' | 'port' | 'cpuSeconds' | 'residentBytes' | 'stop'>

/** A chat server that can be put beside ours. */
export interface BenchSubject {
  name: string
  /** Starts the server in a process of its own. */
  start(): Promise<RunningSubject>
}

/** A contender that runs. */
export interface RunningSubject {
  server: MeasuredServer
  /** Does whatever must be done before `people` may connect, and answers with one door for each. */
  prepareClients(people: number): Promise<ConnectClient[]>
  /** A new room with these visitors in it; the first of them may talk without chat limits. Answers its id. */
  openRoom(visitors: BenchClient[]): Promise<number>
  stop(): Promise<void>
}

/** Connects one person; resolves once the server knows who it is. */
export type ConnectClient = () => Promise<BenchClient>

/** A person with an open socket. */
export interface BenchClient {
  /** Called with every WebSocket payload that the server sends. */
  onPayload: (payload: Buffer) => void
  /** Enters a room and leaves the one before; resolves once the server has answered. */
  joinRoom(roomId: number): Promise<void>
  /** Says something in the room; resolves once the server has answered, rejects when it refused. */
  sendMessage(content: string): Promise<void>
  close(): void
}

/** Connects many people, a few at a time, so that no listen queue overflows. */
export async function connectAll(doors: ConnectClient[], atOnce = 50): Promise<BenchClient[]> {
  const visitors: BenchClient[] = []
  for (let from = 0; from < doors.length; from += atOnce) {
    visitors.push(...(await Promise.all(doors.slice(from, from + atOnce).map((open) => open()))))
  }
  return visitors
}
