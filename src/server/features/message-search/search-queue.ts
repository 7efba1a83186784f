import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { type FairKey, FairQueue } from '../../kernel/limits/fair-queue.ts'

const BOUNDS = { maxWaiting: 300, maxWaitMs: 10_000 }
/** As many as a user may begin at once (`SEARCH_LIMIT`). */
const MAX_WAITING_OF_USER = 30
const MAX_WAITING_OF_ADDRESS = 60

/** Gives the read worker one search at a time, in turns that are fair by user and by address. */
export class SearchQueue {
  private readonly queue = new FairQueue(BOUNDS)
  private isRunning = false

  /**
   * Runs the search when it is the user's turn. Refuses with Busy when too many wait, or when it has waited for too long.
   * @param address null when it is unknown
   */
  async run<T>(userId: UserId, address: string | null, search: () => Promise<T>): Promise<T | Refusal> {
    if (this.isRunning && !(await this.queue.wait(keysOf(userId, address)))) return refuse('Busy')
    this.isRunning = true
    try {
      return await search()
    } finally {
      this.isRunning = this.queue.admitNext()
    }
  }
}

function keysOf(userId: UserId, address: string | null): FairKey[] {
  const ofUser = { key: `user ${userId}`, maxWaiting: MAX_WAITING_OF_USER }
  return address === null ? [ofUser] : [ofUser, { key: `address ${address}`, maxWaiting: MAX_WAITING_OF_ADDRESS }]
}
