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

/** Crypto runs on other threads, so the clock counts these calls itself. */
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

/** Node's resource names of pending node:fs calls. */
const FILE_RESOURCE_NAMES = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * Fake time for all code of this process. Before each timer all pending I/O and promises complete, so that a run depends
 * only on its seed and not on the load of the machine.
 */
export class SimulatedClock {
  private pendingCryptoCalls = 0
  private readonly restore: () => void

  /** @param random source of Math.random until `restoreRealTime` */
  constructor(random: SeededRandom) {
    vi.useFakeTimers({ now: START_AT, toFake: [...FAKED_GLOBALS] })
    const randomSpy = vi.spyOn(Math, 'random').mockImplementation(() => random.next())
    const restoreCrypto = this.serializeCrypto()
    this.restore = () => {
      restoreCrypto()
      randomSpy.mockRestore()
    }
  }

  /** Advances the time by `ms` milliseconds. */
  async advance(ms: number): Promise<void> {
    let isOver = false
    setTimeout(() => {
      isOver = true
    }, ms)
    await this.drainEventLoop()
    while (!isOver) await this.advanceToNextTimer()
  }

  /** Advances the time until the condition holds. Throws after `withinMs`. @param description names the condition */
  async advanceUntil(description: string, condition: () => boolean, withinMs: number): Promise<void> {
    const end = Date.now() + withinMs
    await this.drainEventLoop()
    while (!condition()) {
      if (Date.now() > end) throw new Error(`after ${withinMs} ms still not: ${description}`)
      if (vi.getTimerCount() === 0) throw new Error(`no timer is left, and still not: ${description}`)
      await this.advanceToNextTimer()
    }
  }

  /** Advances the time until the promise settles, and returns it. */
  async advanceUntilSettled<T>(description: string, promise: Promise<T>, withinMs = 60_000): Promise<T> {
    let isSettled = false
    const markSettled = () => {
      isSettled = true
    }
    promise.then(markSettled, markSettled)
    await this.advanceUntil(description, () => isSettled, withinMs)
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

  /** Runs the event loop until only timers are pending. */
  private async drainEventLoop(): Promise<void> {
    do await new Promise((resolve) => realImmediate(resolve))
    while (
      this.pendingCryptoCalls > 0 ||
      process.getActiveResourcesInfo().some((name) => FILE_RESOURCE_NAMES.has(name))
    )
  }

  /** Runs crypto calls one by one, so that their order does not depend on the speed of threads. */
  private serializeCrypto(): () => void {
    let last: Promise<unknown> = Promise.resolve()
    const { subtle } = crypto
    for (const name of SUBTLE_METHODS) {
      const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown> // the arguments differ by method
      const serialized = (...args: unknown[]) => {
        this.pendingCryptoCalls++
        const result = last.then(() => real(...args)).finally(() => this.pendingCryptoCalls--)
        last = result.catch(() => {})
        return result
      }
      Object.defineProperty(subtle, name, { value: serialized, configurable: true })
    }
    return () => {
      for (const name of SUBTLE_METHODS) Reflect.deleteProperty(subtle, name) // uncovers the prototype's method
    }
  }
}

/** Runs callbacks after a delay each, in the order in which they were scheduled. */
export function createOrderedDelay(delayMs: () => number): (run: () => void) => void {
  const scheduled: { at: number; run: () => void }[] = []
  let lastAt = 0
  const runDue = () => {
    while (scheduled[0] && scheduled[0].at <= Date.now()) scheduled.shift()?.run()
  }
  return (run) => {
    lastAt = Math.max(lastAt, Date.now() + delayMs())
    scheduled.push({ at: lastAt, run })
    setTimeout(runDue, lastAt - Date.now())
  }
}
