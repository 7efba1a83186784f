import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

/** What the parent asks; each request is answered by one message. */
export type BystanderRequest = { do: 'connect'; origin: string } | { do: 'start' } | { do: 'stop' }

export interface BystanderReport {
  /** Of each message and page, from the time at which it was due until its answer. */
  latenciesMs: number[]
  /** What was refused or broke. */
  failures: string[]
}

/** Issue 19: the 99th percentile of a bystander stays within this of a quiet site's. */
const MAX_DELAY_MS = 250
/** Other work of the machine, which already delays a quiet site, delays both the site and the attack. */
const MAX_DELAY_FACTOR = 3

/** The bystanders of a site in a process of their own: the load that a test makes does not delay their clock. */
export class BystanderProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async connect(origin: string): Promise<BystanderProcess> {
    const bystanders = new BystanderProcess(fork(new URL('./bystander-process.ts', import.meta.url)))
    await bystanders.#ask({ do: 'connect', origin })
    return bystanders
  }

  /** What they notice while `act` runs. Rejects as `act` does. */
  async observe(act: () => Promise<unknown>): Promise<BystanderReport> {
    await this.#ask({ do: 'start' })
    const outcome = await act().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    const report = (await this.#ask({ do: 'stop' })) as BystanderReport // the process answers 'stop' with it
    if (outcome) throw outcome.error
    return report
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }

  async #ask(request: BystanderRequest): Promise<unknown> {
    this.#child.send(request)
    const [answer] = await Promise.race([once(this.#child, 'message'), this.#rejectOnExit()])
    return answer
  }

  async #rejectOnExit(): Promise<never> {
    const [code] = await once(this.#child, 'exit')
    throw new Error(`the bystanders ended with ${code}`)
  }
}

export function expectUnnoticed(during: BystanderReport, quiet: BystanderReport): void {
  expect(during.failures).toEqual([])
  const quietMs = percentile99(quiet.latenciesMs)
  const maxMs = Math.max(quietMs + MAX_DELAY_MS, quietMs * MAX_DELAY_FACTOR)
  expect(percentile99(during.latenciesMs)).toBeLessThan(maxMs)
}

/** Throws a RangeError without samples. */
export function percentile99(samples: number[]): number {
  const value = samples.toSorted((a, b) => a - b)[Math.ceil(samples.length * 0.99) - 1]
  if (value === undefined) throw new RangeError('no samples')
  return value
}
