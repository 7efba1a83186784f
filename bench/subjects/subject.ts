import type { ServerProcess } from '../measure/server-process.ts'

/** A running server whose CPU and memory can be read. */
export type MeasuredServer = Pick<ServerProcess, 'origin' | 'port' | 'cpuSeconds' | 'residentBytes' | 'stop'> &
  // A server that LiteFS starts has no probe, so only the whole process can be read.
  Partial<Pick<ServerProcess, 'workerCpuSeconds' | 'loopDelayMs'>>

/** A chat server to compare: ours or a peer. */
export interface BenchSubject {
  name: string
  /** Starts the server in a process of its own. */
  start(): Promise<RunningSubject>
}

/** A running subject. */
export interface RunningSubject {
  server: MeasuredServer
  /** Prepares `people` sign-ins and returns one function each that connects. */
  prepareClients(people: number): Promise<ConnectClient[]>
  /** Creates a room and joins these clients; the first has no chat limits. Returns the room id. */
  openRoom(clients: BenchClient[]): Promise<number>
  /** Starts a new process on the same data, in which prepared sign-ins stay valid. Undefined without such data. */
  restart?(): Promise<void>
  stop(): Promise<void>
}

/** Connects one user; resolves when the server has identified it. */
export type ConnectClient = () => Promise<BenchClient>

/** A user with an open socket. */
export interface BenchClient {
  /** Called with every WebSocket payload that the server sends. */
  onPayload: (payload: Buffer) => void
  /** Joins a room and leaves the previous one; resolves when the server answers. */
  joinRoom(roomId: number): Promise<void>
  /** Sends a message to the room; resolves with the answer, rejects on a refusal. */
  sendMessage(content: string): Promise<void>
  close(): void
}

/** Connects many users, `atOnce` at a time, so that the listen queue does not overflow. */
export async function connectAll(connectors: ConnectClient[], atOnce = 50): Promise<BenchClient[]> {
  const clients: BenchClient[] = []
  for (let from = 0; from < connectors.length; from += atOnce) {
    clients.push(...(await Promise.all(connectors.slice(from, from + atOnce).map((open) => open()))))
  }
  return clients
}
