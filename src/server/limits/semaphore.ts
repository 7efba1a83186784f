import pLimit from 'p-limit'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'

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
