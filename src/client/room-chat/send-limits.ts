import { type Refusal, type RefusalBody, refuseLocally } from '../../shared/protocol/refusals.ts'
import { CONSECUTIVE_MESSAGES_PAUSE_MS, JOIN_WAIT_MS, MAX_CONSECUTIVE_MESSAGES } from '../../shared/room-chat/limits.ts'
import { checkSendLimits, type PreviousMessage } from '../../shared/room-chat/send-limits.ts'
import type { ConversationPlatform } from '../conversation/conversation.ts'
import type { Bubble } from '../conversation/store/bubble.ts'
import type { Environment } from '../live/environment.ts'
import type { LiveClient } from '../live/live-client.ts'
import { ChatLimitNotice } from './chat-limit-notice.ts'
import type { RoomConversation } from './room-conversation.ts'

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
    this.notice = new ChatLimitNotice(environment)
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
    const { enteredAt, isExempt, latest } = this.conversation
    const inRoomForMs = enteredAt === null ? 0 : this.environment.now() - enteredAt
    const last = lastMessageForLimits(latest.peek(), this.live.serverNow())
    const verdict = checkSendLimits({ exempt: isExempt, inRoomForMs, last })
    if (!('refused' in verdict)) return null
    const refusal = refuseLocally(verdict.refused, { waitMs: verdict.waitMs })
    this.notice.showPause(refusal.body.message, verdict.waitMs)
    return refusal
  }

  /** A message or a role may end a pause, or make it shorter. */
  recheckPause(): void {
    if (this.notice.isPaused() && !this.check()) this.notice.showPauseOver()
  }

  /** The server has refused a message by a limit. */
  onRefused({ code, message, waitMs }: RefusalBody): void {
    if (code === 'TooManyInARow') this.notice.showPause(message, waitMs ?? CONSECUTIVE_MESSAGES_PAUSE_MS)
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
