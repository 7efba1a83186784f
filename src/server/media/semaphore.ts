import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'

/** Lets so many pass at once. So many more wait, in order; the rest are turned away with Busy. */
export class Semaphore {
  private readonly maxConcurrent: number
  private readonly maxQueued: number
  private running = 0
  private readonly queue: (() => void)[] = []

  constructor(most: number, mostWaiting: number) {
    this.maxConcurrent = most
    this.maxQueued = mostWaiting
  }

  async run<T>(work: () => Promise<T>): Promise<T | Refusal> {
    if (this.running < this.maxConcurrent) this.running++
    else if (this.queue.length >= this.maxQueued) return refuse('Busy')
    else await new Promise<void>((resolve) => this.queue.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to who waits longest, or somebody who comes just now would take it.
      const next = this.queue.shift()
      if (next) next()
      else this.running--
    }
  }
}
