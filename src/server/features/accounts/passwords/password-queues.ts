import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { FairQueue } from '../../../kernel/limits/fair-queue.ts'
import { type PasswordWork, passwordQueueNames } from '../../../model/accounts/passwords.ts'

/** Of one queue: 200 hashes are about 5 seconds of two slow cores. */
const MAX_WAITING = 200
const MAX_WAIT_MS = 10_000
/** A household or a mobile network shares one address. */
const MAX_WAITING_OF_ADDRESS = 50
const MAX_WAITING_OF_ACCOUNT = 10

/**
 * Runs at most `maxConcurrent` tasks at a time; the others wait in the queue of their kind, fairly by address and account.
 * The queues are served in turn, so that each one has its share of the hashes however long the others are.
 */
export class PasswordQueues {
  private readonly maxConcurrent: number
  private readonly queues: FairQueue[]
  private running = 0
  /** The index of the queue that was served last. */
  private served = 0

  constructor(maxConcurrent: number, maxWaitMs = MAX_WAIT_MS) {
    this.maxConcurrent = maxConcurrent
    this.queues = passwordQueueNames.map(() => new FairQueue({ maxWaiting: MAX_WAITING, maxWaitMs }))
  }

  /** Tasks that wait, in all queues. */
  get waitingCount(): number {
    return this.queues.reduce((sum, queue) => sum + queue.length, 0)
  }

  /** The task's result, or Busy when too many wait, or when it has waited for too long. */
  async run<T>(work: PasswordWork, task: () => Promise<T>): Promise<T | Refusal> {
    if (this.running < this.maxConcurrent) this.running++
    else if (!(await this.wait(work))) return refuse('Busy')
    try {
      return await task()
    } finally {
      if (!this.admitNext()) this.running--
    }
  }

  private async wait({ queue, address, account }: PasswordWork): Promise<boolean> {
    const keys = [{ key: `address ${address}`, maxWaiting: MAX_WAITING_OF_ADDRESS }]
    if (account !== null) keys.push({ key: `account ${account}`, maxWaiting: MAX_WAITING_OF_ACCOUNT })
    return (await this.queues[passwordQueueNames.indexOf(queue)]?.wait(keys)) ?? false
  }

  /** Gives the place of a finished task to the next queue in which somebody waits. */
  private admitNext(): boolean {
    for (let i = 0; i < this.queues.length; i++) {
      this.served = (this.served + 1) % this.queues.length
      if (this.queues[this.served]?.admitNext()) return true
    }
    return false
  }
}
