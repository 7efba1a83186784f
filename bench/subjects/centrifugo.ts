import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type WebSocket from 'ws'
import { ensureTool } from '../../scripts/regions/find-tool.ts'
import { readProcessStat } from '../measure/process-stat.ts'
import { findFreePort } from '../measure/server-process.ts'
import { createPeerMessage } from '../peers/peer-message.ts'
import { onPayload, openSocket, PendingRequests } from './client-socket.ts'
import type { BenchClient, BenchSubject, MeasuredServer, RunningSubject } from './subject.ts'

const tool = {
  name: 'centrifugo',
  variable: 'CENTRIFUGO',
  module: 'tools/centrifugo',
  program: 'github.com/centrifugal/centrifugo/v5',
}
const START_TIMEOUT_MS = 30_000

/** Centrifugo 5.4 in Go, on Linux; or the note that it is left out, and why. */
export function findCentrifugo(): { subject: BenchSubject } | { leftOut: string } {
  const found = process.platform === 'linux' ? ensureTool(tool) : { missing: `this is ${process.platform}` }
  if ('missing' in found) return { leftOut: `Centrifugo is left out: ${found.missing}.` }
  return { subject: { name: 'Centrifugo 5.4', start: () => startCentrifugo(found.path) } }
}

/** Without authentication and history, as its own benchmarks run it; JSON, its default protocol. */
async function startCentrifugo(path: string): Promise<RunningSubject> {
  const port = await findFreePort()
  const config = {
    CLIENT_INSECURE: 'true',
    ADDRESS: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    // Connections are not closed when the load generator falls behind.
    CLIENT_QUEUE_MAX_SIZE: String(64 * 1024 * 1024),
    HEALTH: 'true',
  }
  const variables = Object.entries(config).map(([name, value]) => [`CENTRIFUGO_${name}`, value])
  const child = spawn(path, { env: { ...process.env, ...Object.fromEntries(variables) }, stdio: 'ignore' })
  // The program under test must not outlive the bench.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const server = toMeasuredServer(child, port, async () => {
    process.off('exit', kill)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  })
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
    const response = await fetch(`${server.origin}/health`).catch(() => null)
    if (response?.ok) return new RunningCentrifugo(server)
    if (child.exitCode === null && Date.now() < deadline) continue
    await server.stop()
    throw new Error('Centrifugo did not start')
  }
}

function toMeasuredServer(child: ChildProcess, port: number, stop: () => Promise<void>): MeasuredServer {
  const readStat = () => readProcessStat(child.pid ?? 0)
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    cpuSeconds: async () => readStat().cpuSeconds,
    residentBytes: async () => readStat().residentBytes,
    stop,
  }
}

class RunningCentrifugo implements RunningSubject {
  readonly server: MeasuredServer
  #rooms = 0

  constructor(server: MeasuredServer) {
    this.server = server
  }

  async prepareClients(people: number): Promise<(() => Promise<CentrifugoClient>)[]> {
    const url = `ws://127.0.0.1:${this.server.port}/connection/websocket`
    return Array.from({ length: people }, () => async () => {
      const client = new CentrifugoClient(await openSocket(url))
      await client.request({ connect: {} })
      return client
    })
  }

  async openRoom(clients: BenchClient[]): Promise<number> {
    const roomId = ++this.#rooms
    await Promise.all(clients.map((client) => client.joinRoom(roomId)))
    return roomId
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

const REPLY_START = '{"id":'
const PING = '{}'

/** Its JSON protocol: replies and pushes, one a line. https://centrifugal.dev/docs/5/transports/client_protocol */
class CentrifugoClient implements BenchClient {
  onPayload: (payload: Buffer) => void = () => {}
  readonly #socket: WebSocket
  readonly #answers = new PendingRequests()
  #roomId = 0
  #sent = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    onPayload(socket, (payload) => {
      if (payload.length === PING.length) this.#socket.send(PING)
      else if (this.#answers.size) this.#readReplies(payload)
      this.onPayload(payload)
    })
  }

  async joinRoom(roomId: number): Promise<void> {
    this.#roomId = roomId
    await this.request({ subscribe: { channel: `room${roomId}` } })
  }

  /** The client makes the whole message, because the server passes it on as it is. */
  sendMessage(content: string): Promise<void> {
    const message = createPeerMessage(++this.#sent, { roomId: this.#roomId, content, clientId: randomUUID() })
    return this.request({ publish: { channel: `room${this.#roomId}`, data: message } })
  }

  close(): void {
    this.#socket.terminate()
  }

  request(command: object): Promise<void> {
    const { id, answered } = this.#answers.addRequest()
    this.#socket.send(JSON.stringify({ id, ...command }))
    return answered
  }

  #readReplies(payload: Buffer): void {
    for (const line of payload
      .toString()
      .split('\n')
      .filter((text) => text.startsWith(REPLY_START))) {
      const { id, error } = JSON.parse(line) as { id: number; error?: object } // a reply of its protocol
      this.#answers.settleRequest(id, error && new Error(`refused: ${JSON.stringify(error)}`))
    }
  }
}
