import { type Refusal, refuseLocally } from '../../shared/protocol/refusals.ts'
import { JOIN_WAIT_MS, MAX_CONSECUTIVE_MESSAGES } from '../../shared/room-chat/limits.ts'
import { checkSendLimits, type PreviousMessage } from '../../shared/room-chat/rules.ts'
import type { ConversationPlatform } from '../conversation/conversation.ts'
import type { Bubble } from '../conversation/store/bubble.ts'
import type { Environment } from '../live/environment.ts'
import type { LiveClient } from '../live/live-client.ts'
import type { ReadonlySignal } from '../signal.ts'
import { ChatLimitNotice } from './chat-limit-notice.ts'

/** The chat limits of a room, checked before a message is sent, with the notice of a pause. */
export class SendLimits {
  readonly notice: ChatLimitNotice
  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly latest: ReadonlySignal<readonly Bubble[]>
  /** When the tab entered the room, by this machine's clock; null before. */
  private enteredAt: number | null = null
  private isExempt = false

  /** @param latest the latest messages, in their order */
  constructor({ environment, live }: ConversationPlatform, latest: ReadonlySignal<readonly Bubble[]>) {
    this.environment = environment
    this.live = live
    this.latest = latest
    this.notice = new ChatLimitNotice(environment)
  }

  setExempt(isExempt: boolean): void {
    this.isExempt = isExempt
    this.recheckPause()
  }

  onJoined(isExempt: boolean, inRoomForMs: number): void {
    this.enteredAt = this.environment.now() - inRoomForMs
    this.notice.clearWarning()
    this.setExempt(isExempt)
  }

  /** The refusal of a message now, with its notice; null when the limits allow it. */
  check(): Refusal | null {
    const inRoomForMs = this.enteredAt === null ? 0 : this.environment.now() - this.enteredAt
    const last = lastMessageForLimits(this.latest.peek(), this.live.serverNow())
    const verdict = checkSendLimits({ exempt: this.isExempt, inRoomForMs, last })
    if (!('refused' in verdict)) return null
    const refusal = refuseLocally(verdict.refused, { waitMs: verdict.waitMs })
    this.notice.showPause(refusal.body.message, verdict.waitMs)
    return refusal
  }

  /** A message or a role may end a pause, or make it shorter. */
  recheckPause(): void {
    if (this.notice.isPaused() && !this.check()) this.notice.showPauseOver()
  }

  /** The server counts from a later entry than this tab: a lost connection made it enter again. */
  onJustJoined(message: string, waitMs = JOIN_WAIT_MS): void {
    this.enteredAt = this.environment.now() - JOIN_WAIT_MS + waitMs
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
