import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { ProbeAnswer, ProbeMetric, ProbeRequest } from './process-probe.ts'

/** The first start of a changed site builds its pages. */
const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 10_000
const MAX_OUTPUT_LENGTH = 4_000

interface ServerOptions {
  environment?: Record<string, string>
  nodeFlags?: string[]
  /** The path that answers once the server can be used. */
  ready?: string
}

/** A server under test in a child process on 127.0.0.1. */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (value: number) => void>()
  #lastRequestId = 0
  #output = ''

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
    child.on('message', (message) => this.#resolveRequest(message as ProbeAnswer))
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + chunk).slice(-MAX_OUTPUT_LENGTH)
      })
    }
  }

  /**
   * Starts `entry` under the current Node with `PORT` in its environment, and resolves once it answers HTTP at
   * `ready`. Throws with the last output of the program when it ends earlier or does not answer in time.
   */
  static async start(
    entry: string,
    { environment = {}, nodeFlags = [], ready = '/' }: ServerOptions = {},
  ): Promise<ServerProcess> {
    const port = await findFreePort()
    const probe = new URL('./process-probe.ts', import.meta.url).href
    const child = fork(entry, {
      execArgv: ['--expose-gc', '--import', probe, ...nodeFlags, ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])],
      env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const program = new ServerProcess(child, port)
    await program.#waitUntilServing(ready)
    return program
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** CPU seconds of the process since its start: all threads, user and kernel. */
  cpuSeconds(): Promise<number> {
    return this.#readMetric('cpuSeconds')
  }

  /** CPU seconds of the worker threads that run now, since the start of each. */
  workerCpuSeconds(): Promise<number> {
    return this.#readMetric('workerCpuSeconds')
  }

  /** Resident memory of the process in bytes, after a garbage collection. */
  residentBytes(): Promise<number> {
    return this.#readMetric('residentBytes')
  }

  /** The 99th percentile of the delays of its event loop since the last reading, in milliseconds. */
  loopDelayMs(): Promise<number> {
    return this.#readMetric('loopDelayMs')
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exit
    clearTimeout(killTimer)
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #waitUntilServing(path: string): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    while (Date.now() < deadline) {
      if (this.#hasEnded) throw new Error(`ended before it served: ${this.#output.trim()}`)
      const response = await fetch(this.origin + path).catch(() => null)
      await response?.arrayBuffer()
      if (response && response.status < 500) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await this.stop()
    throw new Error(`did not serve ${path} within ${START_TIMEOUT_MS / 1000} s: ${this.#output.trim()}`)
  }

  #readMetric(metric: ProbeMetric): Promise<number> {
    const id = ++this.#lastRequestId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve)
      this.#child.send({ ask: metric, id } satisfies ProbeRequest, (error) => {
        if (error) reject(new Error(`the program has ended: ${this.#output.trim()}`, { cause: error }))
      })
    })
  }

  #resolveRequest({ id, value }: ProbeAnswer): void {
    this.#waiting.get(id)?.(value)
    this.#waiting.delete(id)
  }
}

/** A port of 127.0.0.1 that is currently free. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an AddressInfo, not a pipe's name.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
