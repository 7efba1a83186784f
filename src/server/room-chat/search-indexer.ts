import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Execute } from '../database/define-write.ts'
import type { LoggedEvent } from '../database/events.ts'
import { CoalescingThrottle } from '../throttle.ts'
import { indexMessages } from './index-messages.ts'

/** While a room talks, its words get into the index this often: in few steps, which cost little. */
const INDEX_INTERVAL_MS = 1_000

/** Keeps the index of words in step with what this region writes. */
export class SearchIndexer {
  private readonly execute: Execute
  private readonly throttle = new CoalescingThrottle(INDEX_INTERVAL_MS, () => void this.indexPending())
  private isClosed = false

  constructor(execute: Execute) {
    this.execute = execute
  }

  /** Called with each commit's events. */
  onCommit(events: readonly LoggedEvent[]): void {
    if (events.some(({ name }) => name === 'message')) this.schedule()
  }

  /** There may be something that is not in the index. */
  schedule(): void {
    if (!this.isClosed) this.throttle.schedule()
  }

  close(): void {
    this.isClosed = true
  }

  private async indexPending(): Promise<void> {
    let isDone = this.isClosed
    while (!isDone) {
      const step = await this.execute(indexMessages, null, {})
      isDone = this.isClosed || step instanceof Refusal || !step.more
    }
  }
}
