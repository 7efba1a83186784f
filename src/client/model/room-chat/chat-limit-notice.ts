import { CAN_SEND_AGAIN_TEXT } from '../../../shared/room-chat/send-limits.ts'
import type { Cancel, Environment } from '../../core/platform/environment.ts'
import { computed, signal } from '../../core/signals/signal.ts'
import type { ComposerNoticeState } from '../conversation/conversation.ts'

/** How long the notice is shown that sending is allowed again. */
const MAY_SEND_NOTICE_MS = 4_000

/** The composer's notice about the chat limits and about the room. */
export class ChatLimitNotice {
  readonly shown = computed(() => this.findLasting() ?? this.passing.value)
  private readonly passing = signal<ComposerNoticeState | null>(null)
  private readonly environment: Environment
  private readonly findLasting: () => ComposerNoticeState | null
  private cancelTimer: Cancel | null = null

  /** @param findLasting a notice that goes before all others, as of a mute; it reads signals */
  constructor(environment: Environment, findLasting: () => ComposerNoticeState | null = () => null) {
    this.environment = environment
    this.findLasting = findLasting
  }

  /** Shows that sending is paused, and after `waitMs` that it is allowed again. */
  showPause(text: string, waitMs: number): void {
    this.show({ kind: 'warning', text, endsAt: this.environment.now() + waitMs })
    this.cancelTimer = this.environment.setTimer(waitMs, () => this.showPauseOver())
  }

  /** Whether a pause is counted down. */
  isPaused(): boolean {
    return typeof this.passing.peek()?.endsAt === 'number'
  }

  /** Shows that sending is allowed again. */
  showPauseOver(): void {
    this.show({ kind: 'info', text: CAN_SEND_AGAIN_TEXT, endsAt: null })
    this.cancelTimer = this.environment.setTimer(MAY_SEND_NOTICE_MS, () => this.clear())
  }

  /** Shows a warning until it is cleared. */
  showWarning(text: string): void {
    this.show({ kind: 'warning', text, endsAt: null })
  }

  /** Clears a notice of `showWarning`, not one of a pause. */
  clearWarning(): void {
    const { kind, endsAt } = this.passing.peek() ?? {}
    if (kind === 'warning' && endsAt === null) this.clear()
  }

  clear(): void {
    this.show(null)
  }

  private show(notice: ComposerNoticeState | null): void {
    this.cancelTimer?.()
    this.passing.value = notice
  }
}
