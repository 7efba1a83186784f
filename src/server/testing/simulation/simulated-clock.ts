import { vi } from 'vitest'
import type { SeededRandom } from './seeded-random.ts'

const START_AT = Date.parse('2026-01-01T12:00:00Z')
const realImmediate = setImmediate
const FAKED_GLOBALS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const

/** What runs on other threads, whose answers no timer waits for. */
const SUBTLE_METHODS = [
  'sign',
  'verify',
  'digest',
  'importKey',
  'encrypt',
  'decrypt',
  'deriveBits',
  'deriveKey',
] as const

/** What Node calls a call of node:fs that another thread carries out. */
const FILE_RESOURCE_NAMES = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * Time that stands still until the test lets it pass, for all code of this process. Between two timers everything that
 * can go on goes on first, whatever the machine is busy with, so a run follows from its seed alone.
 */
export class SimulatedClock {
  private pendingCryptoCalls = 0
  private readonly restore: () => void

  /** @param chance what Math.random draws from meanwhile */
  constructor(chance: SeededRandom) {
    vi.useFakeTimers({ now: START_AT, toFake: [...FAKED_GLOBALS] })
    const random = vi.spyOn(Math, 'random').mockImplementation(() => chance.next())
    const unwatch = this.serializeCrypto()
    this.restore = () => {
      unwatch()
      random.mockRestore()
    }
  }

  /** Lets that many milliseconds pass. */
  async advance(ms: number): Promise<void> {
    let isOver = false
    setTimeout(() => {
      isOver = true
    }, ms)
    await this.drainEventLoop()
    while (!isOver) await this.advanceToNextTimer()
  }

  /** Lets time pass until the condition holds. Throws when it does not within that many milliseconds. */
  async advanceUntil(what: string, condition: () => boolean, withinMs: number): Promise<void> {
    const end = Date.now() + withinMs
    await this.drainEventLoop()
    while (!condition()) {
      if (Date.now() > end) throw new Error(`after ${withinMs} ms still not: ${what}`)
      if (vi.getTimerCount() === 0) throw new Error(`nothing goes on, and still not: ${what}`)
      await this.advanceToNextTimer()
    }
  }

  /** Lets time pass until the promise settles, and answers what it brought. */
  async advanceUntilSettled<T>(what: string, promise: Promise<T>, withinMs = 60_000): Promise<T> {
    let isSettled = false
    const mark = () => {
      isSettled = true
    }
    promise.then(mark, mark)
    await this.advanceUntil(what, () => isSettled, withinMs)
    return promise
  }

  restoreRealTime(): void {
    this.restore()
    vi.useRealTimers()
  }

  private async advanceToNextTimer(): Promise<void> {
    vi.advanceTimersToNextTimer()
    await this.drainEventLoop()
  }

  /** Until everything that waits for no timer has gone on. */
  private async drainEventLoop(): Promise<void> {
    do await new Promise((resolve) => realImmediate(resolve))
    while (
      this.pendingCryptoCalls > 0 ||
      process.getActiveResourcesInfo().some((name) => FILE_RESOURCE_NAMES.has(name))
    )
  }

  /** One at a time and in order, and counted: which of two threads is faster must not matter. */
  private serializeCrypto(): () => void {
    let last: Promise<unknown> = Promise.resolve()
    const { subtle } = crypto
    for (const name of SUBTLE_METHODS) {
      const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown> // each takes its own
      const watched = (...args: unknown[]) => {
        this.pendingCryptoCalls++
        const result = last.then(() => real(...args)).finally(() => this.pendingCryptoCalls--)
        last = result.catch(() => {})
        return result
      }
      Object.defineProperty(subtle, name, { value: watched, configurable: true })
    }
    return () => {
      for (const name of SUBTLE_METHODS) Reflect.deleteProperty(subtle, name) // the prototype's own is there again
    }
  }
}

/** Runs things a moment later each, and none before one that was given earlier. */
export function createOrderedDelay(delayMs: () => number): (run: () => void) => void {
  const waiting: { at: number; run: () => void }[] = []
  let lastAt = 0
  const runDue = () => {
    while (waiting[0] && waiting[0].at <= Date.now()) waiting.shift()?.run()
  }
  return (run) => {
    lastAt = Math.max(lastAt, Date.now() + delayMs())
    waiting.push({ at: lastAt, run })
    setTimeout(runDue, lastAt - Date.now())
  }
}
