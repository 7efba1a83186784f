import { CAN_SEND_AGAIN_TEXT } from '../../shared/room-chat/rules.ts'
import type { ComposerNoticeState } from '../conversation/conversation.ts'
import type { Cancel, Environment } from '../live/environment.ts'
import { signal } from '../signal.ts'

/** How long it is said that one may send again. */
const MAY_SEND_NOTICE_MS = 4_000

/** What the composer says of the chat limits and of the room. */
export class ChatLimitNotice {
  readonly shown = signal<ComposerNoticeState | null>(null)
  private readonly environment: Environment
  private cancelTimer: Cancel | null = null

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Sending is paused; when the time is over, it says that one may send again. */
  showPause(text: string, waitMs: number): void {
    this.show({ kind: 'warning', text, endsAt: this.environment.now() + waitMs })
    this.cancelTimer = this.environment.setTimer(waitMs, () => this.showPauseOver())
  }

  /** Whether it counts a pause down. */
  isPaused(): boolean {
    return typeof this.shown.peek()?.endsAt === 'number'
  }

  /** The pause is over. */
  showPauseOver(): void {
    this.show({ kind: 'info', text: CAN_SEND_AGAIN_TEXT, endsAt: null })
    this.cancelTimer = this.environment.setTimer(MAY_SEND_NOTICE_MS, () => this.clear())
  }

  /** Something is wrong, and stays so until it is cleared. */
  showWarning(text: string): void {
    this.show({ kind: 'warning', text, endsAt: null })
  }

  /** Takes back what `warn` said. */
  clearWarning(): void {
    const { kind, endsAt } = this.shown.peek() ?? {}
    if (kind === 'warning' && endsAt === null) this.clear()
  }

  clear(): void {
    this.show(null)
  }

  private show(notice: ComposerNoticeState | null): void {
    this.cancelTimer?.()
    this.shown.value = notice
  }
}
