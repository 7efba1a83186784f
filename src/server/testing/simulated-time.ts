import { vi } from 'vitest'
import type { Chance } from './simulated-chance.ts'

const START = Date.parse('2026-01-01T12:00:00Z')
const realImmediate = setImmediate
const faked = [
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
const elsewhere = ['sign', 'verify', 'digest', 'importKey', 'encrypt', 'decrypt', 'deriveBits', 'deriveKey'] as const

/** What Node calls a call of node:fs that another thread carries out. */
const ofFiles = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * Time that stands still until the test lets it pass, for all code of this process. Between two timers everything that
 * can go on goes on first, whatever the machine is busy with, so a run follows from its seed alone.
 */
export class SimulatedTime {
  private underWay = 0
  private readonly restore: () => void

  /** @param chance what Math.random draws from meanwhile */
  constructor(chance: Chance) {
    vi.useFakeTimers({ now: START, toFake: [...faked] })
    const random = vi.spyOn(Math, 'random').mockImplementation(() => chance.next())
    const unwatch = this.watchCryptography()
    this.restore = () => {
      unwatch()
      random.mockRestore()
    }
  }

  /** Lets that many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    let isOver = false
    setTimeout(() => {
      isOver = true
    }, ms)
    await this.settle()
    while (!isOver) await this.step()
  }

  /** Lets time pass until the condition holds. Throws when it does not within that many milliseconds. */
  async until(what: string, condition: () => boolean, withinMs: number): Promise<void> {
    const end = Date.now() + withinMs
    await this.settle()
    while (!condition()) {
      if (Date.now() > end) throw new Error(`after ${withinMs} ms still not: ${what}`)
      if (vi.getTimerCount() === 0) throw new Error(`nothing goes on, and still not: ${what}`)
      await this.step()
    }
  }

  /** Lets time pass until the promise settles, and answers what it brought. */
  async of<T>(what: string, promise: Promise<T>, withinMs = 60_000): Promise<T> {
    let isSettled = false
    const mark = () => {
      isSettled = true
    }
    promise.then(mark, mark)
    await this.until(what, () => isSettled, withinMs)
    return promise
  }

  end(): void {
    this.restore()
    vi.useRealTimers()
  }

  private async step(): Promise<void> {
    vi.advanceTimersToNextTimer()
    await this.settle()
  }

  /** Until everything that waits for no timer has gone on. */
  private async settle(): Promise<void> {
    do await new Promise((resolve) => realImmediate(resolve))
    while (this.underWay > 0 || process.getActiveResourcesInfo().some((name) => ofFiles.has(name)))
  }

  /** One at a time and in order, and counted: which of two threads is faster must not matter. */
  private watchCryptography(): () => void {
    let last: Promise<unknown> = Promise.resolve()
    const { subtle } = crypto
    for (const name of elsewhere) {
      const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown> // each takes its own
      const watched = (...args: unknown[]) => {
        this.underWay++
        const result = last.then(() => real(...args)).finally(() => this.underWay--)
        last = result.catch(() => {})
        return result
      }
      Object.defineProperty(subtle, name, { value: watched, configurable: true })
    }
    return () => {
      for (const name of elsewhere) Reflect.deleteProperty(subtle, name) // the prototype's own is there again
    }
  }
}

/** Runs things a moment later each, and none before one that was given earlier. */
export function inOrder(delayMs: () => number): (run: () => void) => void {
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
