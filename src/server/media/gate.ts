import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'

/** Lets so many pass at once. So many more wait, in order; the rest are turned away with Busy. */
export class Gate {
  private readonly most: number
  private readonly mostWaiting: number
  private inside = 0
  private readonly waiting: (() => void)[] = []

  constructor(most: number, mostWaiting: number) {
    this.most = most
    this.mostWaiting = mostWaiting
  }

  async pass<T>(work: () => Promise<T>): Promise<T | Refusal> {
    if (this.inside < this.most) this.inside++
    else if (this.waiting.length >= this.mostWaiting) return refuse('Busy')
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to who waits longest, or somebody who comes just now would take it.
      const next = this.waiting.shift()
      if (next) next()
      else this.inside--
    }
  }
}
