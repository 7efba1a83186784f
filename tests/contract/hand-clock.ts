import { vi } from 'vitest'

const TICK_MS = 10
/** Most work that needs timers to end waits for windows of a few milliseconds; what takes longer waits for a thread. */
const SHORT_WAIT_MS = 100
const { setTimeout: setRealTimeout, setImmediate } = globalThis

/** Timers and clocks of this process that only a test moves; sockets, files and threads go on in real time. */
export class HandClock {
  start(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  }

  stop(): void {
    vi.useRealTimers()
  }

  /** Waits for work that may need timers to end. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = work.finally(() => {
      isSettled = true
    })
    settled.catch(() => {}) // the caller gets it
    for (let passedMs = 0; !isSettled; passedMs++) {
      await new Promise((resolve) => setRealTimeout(resolve, passedMs < SHORT_WAIT_MS ? 1 : 20))
      if (!isSettled) vi.advanceTimersByTime(1)
    }
    return settled
  }

  /** Lets time pass up to this time of the clock, in epoch milliseconds. */
  async advanceTo(time: number): Promise<void> {
    while (Date.now() < time) {
      vi.advanceTimersByTime(Math.min(TICK_MS, time - Date.now()))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
