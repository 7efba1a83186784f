import pLimit from 'p-limit'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'

/** Runs at most `maxConcurrent` tasks at a time, in order; `maxQueued` more wait, and the rest are refused with Busy. */
export class Semaphore {
  private readonly limit: ReturnType<typeof pLimit>
  private readonly maxQueued: number

  constructor(maxConcurrent: number, maxQueued: number) {
    this.limit = pLimit(maxConcurrent)
    this.maxQueued = maxQueued
  }

  async run<T>(task: () => Promise<T>): Promise<T | Refusal> {
    const { activeCount, pendingCount, concurrency } = this.limit
    return activeCount >= concurrency && pendingCount >= this.maxQueued ? refuse('Busy') : this.limit(task)
  }
}

/** A semaphore per key, such as an address, kept while it has tasks. */
export class KeyedSemaphore {
  private readonly entries = new Map<string, { semaphore: Semaphore; tasks: number }>()
  private readonly maxConcurrent: number
  private readonly maxQueued: number

  constructor(maxConcurrent: number, maxQueued: number) {
    this.maxConcurrent = maxConcurrent
    this.maxQueued = maxQueued
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T | Refusal> {
    const entry = this.entries.get(key) ?? { semaphore: new Semaphore(this.maxConcurrent, this.maxQueued), tasks: 0 }
    this.entries.set(key, entry)
    entry.tasks++
    try {
      return await entry.semaphore.run(task)
    } finally {
      if (--entry.tasks === 0) this.entries.delete(key)
    }
  }
}
