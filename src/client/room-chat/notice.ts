import { CAN_SEND_AGAIN_TEXT } from '../../shared/room-chat/rules.ts'
import type { Cancel, Environment } from '../live/environment.ts'
import { signal } from '../signal.ts'

/** How long it is said that one may send again. */
const SAID_MS = 4_000

/** A sentence beside the composer. */
export interface Notice {
  kind: 'info' | 'warning'
  text: string
  /** When the pause is over, in epoch milliseconds of this machine, to count down to; null without a pause. */
  until: number | null
}

/** What the composer says of the chat limits and of the room. */
export class ChatNotice {
  readonly shown = signal<Notice | null>(null)
  private readonly environment: Environment
  private cancel: Cancel | null = null

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Sending is paused; when the time is over, it says that one may send again. */
  pause(text: string, waitMs: number): void {
    this.show({ kind: 'warning', text, until: this.environment.now() + waitMs })
    this.cancel = this.environment.after(waitMs, () => this.release())
  }

  /** Whether it counts a pause down. */
  isPause(): boolean {
    return typeof this.shown.peek()?.until === 'number'
  }

  /** The pause is over. */
  release(): void {
    this.show({ kind: 'info', text: CAN_SEND_AGAIN_TEXT, until: null })
    this.cancel = this.environment.after(SAID_MS, () => this.clear())
  }

  /** Something is wrong, and stays so until it is cleared. */
  warn(text: string): void {
    this.show({ kind: 'warning', text, until: null })
  }

  /** Takes back what `warn` said. */
  clearWarning(): void {
    const { kind, until } = this.shown.peek() ?? {}
    if (kind === 'warning' && until === null) this.clear()
  }

  clear(): void {
    this.show(null)
  }

  private show(notice: Notice | null): void {
    this.cancel?.()
    this.shown.value = notice
  }
}
