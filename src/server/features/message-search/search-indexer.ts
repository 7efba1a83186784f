import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Execute } from '../../kernel/database/commands/define-command.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { CoalescingThrottle } from '../../kernel/limits/throttle.ts'
import { INDEX_STEP_MESSAGES, indexMessages } from '../../model/conversations/index-messages.ts'

/** Interval of steps while few messages arrive. */
const INDEX_INTERVAL_MS = 1_000
/** Interval while more arrive: a step of 100 messages costs little more than half of four steps of 25. */
const BUSY_INDEX_INTERVAL_MS = 5_000
const BUSY_STEP_MESSAGES = 10
/** The pause after a step of a backlog, in durations of that step: commands of users get most of the writer's time. */
const PAUSE_FACTOR = 3

/** Runs `indexMessages` after commits of this region's writer, until few messages are left to index. */
export class SearchIndexer {
  private readonly execute: Execute
  private readonly throttle = new CoalescingThrottle(
    () => (this.lastStepMessages > BUSY_STEP_MESSAGES ? BUSY_INDEX_INTERVAL_MS : INDEX_INTERVAL_MS),
    () => void this.indexPending(),
  )
  /** Messages of commits since the last step; `hasBacklog` says that there may be more. */
  private pendingMessages = 0
  private lastStepMessages = 0
  private hasBacklog = false
  private isRunning = false
  private isClosed = false

  constructor(execute: Execute) {
    this.execute = execute
  }

  /** Schedules a step if the commit has messages. */
  onCommit(events: readonly LoggedEvent[]): void {
    for (const { name } of events) if (name === 'message' || name === 'directMessage') this.pendingMessages++
    if (this.pendingMessages > 0) this.schedule()
  }

  /** Indexes all messages that are not in the index; call it when some may be missing. */
  indexBacklog(): void {
    this.hasBacklog = true
    this.schedule()
  }

  close(): void {
    this.isClosed = true
  }

  private schedule(): void {
    if (!this.isClosed && !this.isRunning) this.throttle.schedule(this.pendingMessages >= INDEX_STEP_MESSAGES)
  }

  private async indexPending(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    while (await this.runStep());
    this.isRunning = false
    if (this.pendingMessages > 0) this.schedule()
  }

  /** One step and its pause. Returns whether a full step is left. */
  private async runStep(): Promise<boolean> {
    if (this.isClosed) return false
    const startedMs = performance.now()
    this.lastStepMessages = this.pendingMessages
    this.pendingMessages = Math.max(0, this.pendingMessages - INDEX_STEP_MESSAGES)
    const step = await this.execute(indexMessages, null, {})
    // After a refusal the next commit with messages schedules a step again.
    const hadUnknown = this.hasBacklog || this.lastStepMessages < INDEX_STEP_MESSAGES
    this.hasBacklog = step instanceof Refusal || (step.more && hadUnknown)
    if (step instanceof Refusal) return false
    const isFullStepLeft = step.more && (this.hasBacklog || this.pendingMessages >= INDEX_STEP_MESSAGES)
    if (isFullStepLeft) await pause(PAUSE_FACTOR * (performance.now() - startedMs))
    return isFullStepLeft
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
