import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Execute } from '../database/define-write.ts'
import type { LoggedEvent } from '../database/events.ts'
import { CoalescingThrottle } from '../throttle.ts'
import { indexMessages } from './index-messages.ts'

/** Interval of indexing while messages arrive; larger steps cost less in total. */
const INDEX_INTERVAL_MS = 1_000

/** Runs `indexMessages` after commits of this region's writer, until no message is left to index. */
export class SearchIndexer {
  private readonly execute: Execute
  private readonly throttle = new CoalescingThrottle(INDEX_INTERVAL_MS, () => void this.indexPending())
  private isClosed = false

  constructor(execute: Execute) {
    this.execute = execute
  }

  /** Schedules a run if the commit has messages. */
  onCommit(events: readonly LoggedEvent[]): void {
    if (events.some(({ name }) => name === 'message')) this.schedule()
  }

  /** Schedules a run; call it when messages may be missing from the index. */
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
