import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { readProcessStat } from './process-stat.ts'

interface Answer {
  id: number
  result?: unknown
  error?: string
}

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** Whether a process can be kept on one processor, so that a relay and its load do not take turns on one. */
const canPin = process.platform === 'linux' && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** A program that answers requests on its standard input: one line of JSON each. */
export class LineProcess {
  readonly isPinned: boolean
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #kill = () => void this.#child.kill('SIGKILL')
  #requests = 0

  /** Starts the program, on the given processor where the system can do that. It does not outlive this process. */
  constructor(command: string, args: string[], processor: 0 | 1) {
    this.isPinned = canPin
    const [file, ...rest] = canPin ? ['taskset', '-c', String(processor), command, ...args] : [command, ...args]
    this.#child = spawn(file ?? command, rest, {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    process.once('exit', this.#kill)
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#settle(line))
    this.#child.once('error', (error) => this.#fail(error))
    this.#child.once('exit', () => this.#fail(new Error(`${command} has ended`)))
  }

  /** Resolves to the result of the type that the program has for this request. Rejects with the program's error. */
  request<T>(request: { op: string } & Record<string, unknown>): Promise<T> {
    const id = ++this.#requests
    return new Promise((resolve, reject) => {
      // Each program answers an operation with the type that its caller names.
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject })
      this.#child.stdin?.write(`${JSON.stringify({ ...request, id })}\n`)
    })
  }

  /** CPU seconds since the start: all threads, user and kernel. */
  cpuSeconds(): number {
    return readProcessStat(this.#child.pid ?? 0).cpuSeconds
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#kill()
    await ended
  }

  #settle(line: string): void {
    const { id, result, error } = JSON.parse(line) as Answer // the program prints nothing else
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error))
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
