import { Refusal } from '../../shared/protocol/refusals.ts'
import type { LoggedEvent } from '../database/events.ts'
import type { Execute } from '../database/execute.ts'
import { Gather } from '../gather.ts'

/** While a room talks, its words get into the index this often: in few steps, which cost little. */
const INDEX_MS = 1_000

/** Keeps the index of words in step with what this region writes. */
export class Indexing {
  private readonly execute: Execute
  private readonly gathering = new Gather(INDEX_MS, () => void this.index())
  private isClosed = false

  constructor(execute: Execute) {
    this.execute = execute
  }

  /** Called with each commit's events. */
  wrote(events: readonly LoggedEvent[]): void {
    if (events.some(({ name }) => name === 'message')) this.soon()
  }

  /** There may be something that is not in the index. */
  soon(): void {
    if (!this.isClosed) this.gathering.schedule()
  }

  close(): void {
    this.isClosed = true
  }

  private async index(): Promise<void> {
    let isDone = this.isClosed
    while (!isDone) {
      const step = await this.execute('indexMessages', null, {})
      isDone = this.isClosed || step instanceof Refusal || !step.more
    }
  }
}
