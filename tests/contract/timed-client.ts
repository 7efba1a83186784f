import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ProtocolClient } from './protocol-client.ts'

/*
 * A thread with clients of its own, so that a measured answer waits for nothing that this process does after it has written
 * the answer to its socket.
 */

/** One request of a client: a command, or a path that is read over HTTP. */
export interface TimedRequest {
  /** Index of the user. */
  user: number
  request: { command: string; input: Record<string, unknown> } | { path: string; method: 'GET' | 'POST' }
  /** Whether its time is measured. */
  isMeasured: boolean
  /** Time that passes before it, so that no window of what went before is open. */
  pauseMs: number
}

/** What the thread is started with. */
export interface TimedClientData {
  origin: string
  /** In room 1. */
  users: { token: string; browserId: string; cookie: string | null }[]
}

const { origin, users } = workerData as TimedClientData
const clients = await Promise.all(users.map(() => ProtocolClient.open(origin)))
for (const [index, client] of clients.entries()) {
  await client.hello(users[index]?.token ?? '', { browserId: users[index]?.browserId })
  await client.request('joinRoom', { roomId: 1 })
}
parentPort?.postMessage([])
parentPort?.on('message', async (requests: TimedRequest[]) => parentPort?.postMessage(await run(requests)))

/** Milliseconds of each measured request, in order. */
async function run(requests: readonly TimedRequest[]): Promise<number[]> {
  const times: number[] = []
  for (const timed of requests) {
    if (timed.pauseMs > 0) await pause(timed.pauseMs)
    const startedAt = performance.now()
    await send(timed)
    if (timed.isMeasured) times.push(performance.now() - startedAt)
  }
  return times
}

async function send({ user, request }: TimedRequest): Promise<void> {
  if ('command' in request) {
    const { refusal } = (await clients[user]?.request(request.command, request.input)) ?? {}
    if (refusal) throw new Error(`${request.command} was refused: ${JSON.stringify(refusal)}`)
    return
  }
  const { token, cookie } = users[user] ?? {}
  const headers = request.path.startsWith('/api') ? { authorization: `Bearer ${token}` } : { cookie: cookie ?? '' }
  const response = await fetch(origin + request.path, { method: request.method, headers: { origin, ...headers } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${request.path} was refused: ${response.status}`)
}
