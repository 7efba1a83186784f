import { Refusal, type RefusalBody, refuseLocally } from '../../../shared/protocol/refusals.ts'
import {
  CONSECUTIVE_MESSAGES_PAUSE_MS,
  JOIN_WAIT_MS,
  MAX_CONSECUTIVE_MESSAGES,
} from '../../../shared/room-chat/limits.ts'
import {
  CAN_SEND_AGAIN_TEXT,
  checkSendLimits,
  type PreviousMessage,
  type SendLimitVerdict,
  type SlowMode,
} from '../../../shared/room-chat/send-limits.ts'
import { SLOW_MODE_TEXT } from '../../../shared/room-management/slow-mode-text.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { Cancel, Environment } from '../../core/platform/environment.ts'
import { computed, signal } from '../../core/signals/signal.ts'
import type { ComposerNoticeState, ConversationPlatform } from '../conversation/conversation.ts'
import type { Bubble } from '../conversation/store/message-types.ts'
import { ownSanctions } from '../sanctions/own-sanctions.ts'
import type { RoomConversation } from './room-conversation.ts'

/** How long the notice is shown that sending is allowed again. */
const MAY_SEND_NOTICE_MS = 4_000

/** The chat limits of a room, checked before a message is sent, with the notice of a pause. */
export class SendLimits {
  readonly notice: ChatLimitNotice
  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly conversation: RoomConversation

  constructor({ environment, live }: ConversationPlatform, conversation: RoomConversation) {
    this.environment = environment
    this.live = live
    this.conversation = conversation
    this.notice = new ChatLimitNotice(environment, () => ownSanctions.muteNotice(conversation.roomId))
    this.onJoined()
  }

  close(): void {
    this.notice.clear()
  }

  /** The tab has joined the room, or was refused. */
  onJoined(): void {
    const { joinRefusal } = this.conversation
    if (joinRefusal === null) this.notice.clearWarning()
    else this.notice.showWarning(joinRefusal)
    this.recheckPause()
  }

  /** The refusal of a message now, with its notice; null when the limits allow it. */
  check(): Refusal | null {
    const verdict = this.predict()
    if (!('refused' in verdict)) return null
    const { refused: code, waitMs } = verdict
    const refusal =
      code === 'SlowMode' ? new Refusal({ code, message: SLOW_MODE_TEXT, waitMs }) : refuseLocally(code, { waitMs })
    this.notice.showPause(refusal.body.message, waitMs)
    return refusal
  }

  /** A message, a role or slow mode may begin a pause, end it, or change its length. */
  recheckPause(): void {
    if (this.notice.isPaused()) {
      if (!this.check()) this.notice.showPauseOver()
      return
    }
    // The next message has to wait: the countdown begins with the last one.
    const verdict = this.predict()
    if ('refused' in verdict && verdict.refused === 'SlowMode') this.notice.showPause(SLOW_MODE_TEXT, verdict.waitMs)
  }

  private predict(): SendLimitVerdict {
    const { enteredAt, isExempt, latest } = this.conversation
    const inRoomForMs = enteredAt === null ? 0 : this.environment.now() - enteredAt
    const last = lastMessageForLimits(latest.peek(), this.live.serverNow())
    return checkSendLimits({ exempt: isExempt, inRoomForMs, last, slowMode: this.slowMode() })
  }

  private slowMode(): SlowMode | null {
    const { joined, latest } = this.conversation
    const seconds = joined?.room.slowModeSeconds ?? 0
    if (seconds === 0) return null
    const own = latest.peek().findLast(({ isOwn, status }) => isOwn && status !== 'failed')
    return { intervalMs: seconds * 1000, sinceOwnMs: own ? this.live.serverNow() - own.createdAt : null }
  }

  /** The server has refused a message by a limit. */
  onRefused({ code, message, waitMs }: RefusalBody): void {
    if (code === 'TooManyInARow') this.notice.showPause(message, waitMs ?? CONSECUTIVE_MESSAGES_PAUSE_MS)
    if (code === 'SlowMode') this.notice.showPause(message, waitMs ?? 0)
    if (code === 'JustJoined') this.onJustJoined(message, waitMs)
  }

  /** The server counts from a later entry than this tab: a lost connection made it enter again. */
  private onJustJoined(message: string, waitMs = JOIN_WAIT_MS): void {
    this.conversation.enteredAt = this.environment.now() - JOIN_WAIT_MS + waitMs
    this.notice.showPause(message, waitMs)
  }
}

/** The last of these bubbles, which are in their order, with its place in its sender's run. */
function lastMessageForLimits(bubbles: readonly Bubble[], now: number): PreviousMessage | null {
  const counted = bubbles.filter(({ status }) => status !== 'failed')
  let run = 0
  counted.forEach(({ isOwn, createdAt }, index) => {
    const before = counted[index - 1]
    run = isOwn
      ? runLengthAfter(
          before ? { isOwn: before.isOwn, consecutiveCount: run, ageMs: createdAt - before.createdAt } : null,
        )
      : 0
  })
  const last = counted.at(-1)
  return last ? { isOwn: last.isOwn, consecutiveCount: run, ageMs: now - last.createdAt } : null
}

/** The place in its sender's run of an own message that was accepted after `last`. */
function runLengthAfter(last: PreviousMessage | null): number {
  const verdict = checkSendLimits({ exempt: false, inRoomForMs: Number.POSITIVE_INFINITY, last })
  return 'consecutiveCount' in verdict ? verdict.consecutiveCount : MAX_CONSECUTIVE_MESSAGES
}

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
