import type { CommandAnswer } from '../../shared/protocol/catalogue.ts'
import { type Refusal, type RefusalBody, refuseLocally } from '../../shared/protocol/refusals.ts'
import { CONSECUTIVE_MESSAGES_PAUSE_MS, JOIN_WAIT_MS, MAX_MESSAGE_LENGTH } from '../../shared/room-chat/limits.ts'
import type { Message, Quote } from '../../shared/room-chat/message.ts'
import { checkSendLimits, normaliseMessage, type SendLimitVerdict } from '../../shared/room-chat/rules.ts'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import {
  bubbleOf,
  lastMessageForLimits,
  mergePending,
  quoteOfMessage,
  type StoredMessage,
} from '../conversation/store/bubbles.ts'
import { MessageStore } from '../conversation/store/message-store.ts'
import type { Environment } from '../live/environment.ts'
import type { LiveClient } from '../live/live-client.ts'
import type { Outbox, OutboxEntry } from '../live/outbox.ts'
import { listenForBlocks } from '../relations/block-listener.ts'
import type { JoinResult, RoomSubscription } from '../rooms/room-subscription.ts'
import { computed, signal } from '../signal.ts'
import { ChatLimitNotice, type ComposerNoticeState } from './chat-limit-notice.ts'
import type { Bubble, BubbleSender } from './state.ts'

/** Shown at a message to which no answer came (specification 1, points 4 and 8). */
const SEND_FAILED = 'Mesaj gönderilemedi!'

interface RoomContext {
  roomId: number
  ownerId: number | null
  viewer: BubbleSender
}

/** The conversation of the room that is shown: the server's messages, one's own on their way, and the chat limits. */
export class RoomConversation {
  readonly limitNotice: ChatLimitNotice
  /** What the composer has to say: of the limits and the room, or else of a message that waits; null for nothing. */
  readonly composerNotice = computed(() => this.limitNotice.shown.value ?? this.regionCutNotice())
  readonly store = new MessageStore((known) => this.dropConfirmed(known))
  /** The messages that end with the latest one, one's own unsent ones among them; shown or not. */
  readonly latest = computed(() => mergePending(this.store.latest.value, this.unsent.value))
  /** What is shown: the latest messages, or what was said earlier. */
  readonly bubbles = computed(() =>
    this.store.scrollback.value.gapAfterId === null ? this.latest.value : mergePending(this.store.shown.value, []),
  )

  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly outbox: Outbox
  private readonly roomSubscription: RoomSubscription
  private readonly room = signal<RoomContext | null>(null)
  readonly viewerName = computed(() => this.room.value?.viewer.username ?? '')
  private readonly unsent = computed(() => this.unsentBubbles())
  /** The last message that the server's region could not pass on, and what is said of it while it waits. */
  private readonly regionCut = signal<{ clientId: string; notice: ComposerNoticeState } | null>(null)
  /** Events up to here are in `known`, though not every one of them came to us. */
  private snapshotCursor = 0
  /** When we entered the room, by this machine's clock; null when we have not yet. */
  private enteredAt: number | null = null
  private isExempt = false
  /** On this line, a message found us outside the room, and we entered again for it. */
  private hasRejoined = false

  constructor(environment: Environment, live: LiveClient, outbox: Outbox, roomLine: RoomSubscription) {
    this.environment = environment
    this.live = live
    this.outbox = outbox
    this.roomSubscription = roomLine
    this.limitNotice = new ChatLimitNotice(environment)
    live.on('message', (message, seq) => this.onMessage(message, seq ?? 0))
    live.on(
      'loadRoomMessages',
      ({ roomId, messages }) => this.isShownRoom(roomId) && this.store.replaceWithLatest(messages),
    )
    live.on('clearMessages', ({ roomId }, seq) => this.isBeyondSnapshot(roomId, seq) && this.store.clear())
    live.on(
      'removeBannedMessages',
      ({ roomId, userId }, seq) => this.isBeyondSnapshot(roomId, seq) && this.store.removeBySender(userId),
    )
    listenForBlocks(live, { onBlocked: (userId) => this.store.removeBySender(userId) })
    live.on('userProfileUpdated', ({ user }) => {
      const place = this.room.peek()
      if (place?.viewer.id === user.id) this.onViewerUpdated(place, user)
      this.store.updateUsers([user])
    })
    // What was said before may have come under an earlier name, from a replay too.
    live.on('user-joined', ({ roomId, user }) => this.isShownRoom(roomId) && this.store.updateUsers([user]))
    live.on('users-in-room', ({ roomId, users }) => this.isShownRoom(roomId) && this.store.updateUsers(users))
    live.onConnected(() => {
      this.hasRejoined = false
    })
    roomLine.addListener({
      onPageOpened: (page) => this.open(page),
      onResync: () => this.store.resetSeqs(),
      onJoined: (joined) => this.joined(joined),
      onJoinRefused: ({ message }) => this.limitNotice.showWarning(message),
    })
    outbox.register('sendMessage', {
      lane: ({ roomId }) => `room:${roomId}`,
      canSend: ({ roomId }) => live.roomId === roomId,
      onAnswered: (entry, answer) => this.answered(entry, answer),
      retryDelayMs: (entry, refusal) => this.retryAfter(entry, refusal),
      onDelayed: (entry, refusal) => this.waits(entry, refusal),
      timeoutMessage: SEND_FAILED,
    })
  }

  /**
   * Says something in the room. It is shown at once, and sent when it can be. A refusal means that it was not taken,
   * so the text is to stay in the composer; null is also the answer to text in which there is nothing to see.
   * @param replyToId the message that this one answers
   */
  send(text: string, replyToId?: number | null): Refusal | null {
    const place = this.room.peek()
    if (!place) return refuseLocally('NotInRoom')
    const content = normaliseMessage(text.toWellFormed())
    if (!content) return null
    if (content.length > MAX_MESSAGE_LENGTH) return refuseLocally('TooLarge')
    const held = this.checkLimits()
    if (held) return held
    const replyTo = replyToId ? { replyTo: { id: replyToId } } : {}
    return this.outbox.enqueue('sendMessage', {
      roomId: place.roomId,
      content,
      ...replyTo,
      clientId: this.environment.uuid(),
    })
  }

  /** Sends a failed message again, under the same clientId, so that it cannot be there twice. */
  retry(key: string): void {
    if (!this.checkLimits()) this.outbox.retry(key)
  }

  /** Gives a failed message up. */
  discard(key: string): void {
    this.outbox.remove(key)
  }

  /** The chat limits' refusal of a message now, with its notice; null when they allow it. */
  private checkLimits(): Refusal | null {
    const verdict = this.limitVerdict()
    if (!('refused' in verdict)) return null
    const refusal = refuseLocally(verdict.refused, { waitMs: verdict.waitMs })
    this.limitNotice.showPause(refusal.body.message, verdict.waitMs)
    return refusal
  }

  private limitVerdict(): SendLimitVerdict {
    const inRoomForMs = this.enteredAt === null ? 0 : this.environment.now() - this.enteredAt
    const last = lastMessageForLimits(this.latest.peek(), this.live.serverNow())
    return checkSendLimits({ exempt: this.isExempt, inRoomForMs, last })
  }

  /** Whether an event is of this room, and not of what its page or snapshot covers. */
  private isBeyondSnapshot(roomId: number, seq: number | null): boolean {
    return this.isShownRoom(roomId) && (seq ?? 0) > this.snapshotCursor
  }

  /** Whoever looks is shown so from now on, and may be a root admin now, or no more. */
  private onViewerUpdated(place: RoomContext, viewer: BubbleSender): void {
    this.room.value = { ...place, viewer }
    if (viewer.role === place.viewer.role) return
    this.isExempt = viewer.role === 'rootadmin' || place.ownerId === viewer.id
    this.recheckPause()
  }

  private isShownRoom(roomId: number): boolean {
    return roomId === this.room.peek()?.roomId
  }

  /** The same room again keeps what has come since its page was rendered. */
  private open({ room, messages, cursor, viewer }: RoomPageProps): void {
    if (this.isShownRoom(room.id)) {
      this.store.reopen(messages)
      return
    }
    this.room.value = { roomId: room.id, ownerId: room.ownerId, viewer }
    this.snapshotCursor = cursor
    this.enteredAt = null
    this.isExempt = viewer.role === 'rootadmin' || room.ownerId === viewer.id
    this.limitNotice.clear()
    this.outbox.restoreFor(viewer.id)
    this.store.open(messages, viewer.id)
  }

  /** What the server has is unsent no more. */
  private dropConfirmed(known: readonly StoredMessage[]): void {
    const keys = new Set(known.map(({ bubble }) => bubble.key))
    for (const { clientId } of this.outbox.entries.peek()) if (keys.has(clientId)) this.outbox.remove(clientId)
  }

  private joined({ cursor, isExempt, inRoomForMs }: JoinResult): void {
    this.snapshotCursor = cursor
    this.isExempt = isExempt
    this.enteredAt = this.environment.now() - inRoomForMs
    this.limitNotice.clearWarning()
    this.recheckPause()
    this.outbox.flush()
  }

  private onMessage(message: Message, seq: number): void {
    const place = this.room.peek()
    if (message.roomId !== place?.roomId || seq <= this.snapshotCursor) return
    this.store.add(bubbleOf(message, place.viewer.id), seq)
    this.recheckPause()
  }

  /** Something has come that may end a pause, or make it shorter. */
  private recheckPause(): void {
    if (this.limitNotice.isPaused() && !this.checkLimits()) this.limitNotice.showPauseOver()
  }

  private answered(
    { input, clientId }: OutboxEntry<'sendMessage'>,
    { id, createdAt }: CommandAnswer<'sendMessage'>,
  ): void {
    const place = this.room.peek()
    if (id === undefined || createdAt === undefined || input.roomId !== place?.roomId) return
    const bubble: Bubble = {
      key: clientId,
      id,
      content: input.content,
      createdAt,
      sender: place.viewer,
      isOwn: true,
      status: 'sent',
      ...this.replyFields(input),
    }
    this.store.add(bubble, 0)
  }

  private retryAfter({ input }: OutboxEntry<'sendMessage'>, { code, message, waitMs }: RefusalBody): number | null {
    this.regionCut.value = null // it was attended to
    // It waits until the person comes back to its room.
    if (!this.isShownRoom(input.roomId)) return 0
    switch (code) {
      case 'JustJoined': {
        // The server counts from later than we knew: a cut line made us enter anew.
        const wait = waitMs ?? JOIN_WAIT_MS
        this.enteredAt = this.environment.now() - JOIN_WAIT_MS + wait
        this.limitNotice.showPause(message, wait)
        return wait
      }
      case 'TooManyInARow':
        this.limitNotice.showPause(message, waitMs ?? CONSECUTIVE_MESSAGES_PAUSE_MS)
        return null
      case 'NotInRoom':
        if (this.hasRejoined) return null
        this.hasRejoined = true
        this.roomSubscription.rejoin()
        return 0
      default:
        return null
    }
  }

  private waits({ clientId }: OutboxEntry<'sendMessage'>, { code, message }: RefusalBody): void {
    if (code !== 'RegionCut' || this.regionCut.peek()?.clientId === clientId) return
    this.regionCut.value = { clientId, notice: { kind: 'warning', text: message, endsAt: null } }
  }

  private regionCutNotice(): ComposerNoticeState | null {
    const cutOff = this.regionCut.value
    const waits = this.bubbles.value.some(({ key, status }) => key === cutOff?.clientId && status === 'pending')
    return waits ? (cutOff?.notice ?? null) : null
  }

  private unsentBubbles(): Bubble[] {
    const place = this.room.value
    if (!place) return []
    return this.outbox.entries.value
      .filter(isRoomMessageEntry)
      .filter(({ input }) => input.roomId === place.roomId)
      .map(({ clientId, input, createdAt, failure }) => ({
        key: clientId,
        id: null,
        content: input.content,
        createdAt,
        sender: place.viewer,
        isOwn: true,
        status: failure === null ? 'pending' : 'failed',
        ...(failure !== null && { failure }),
        ...this.replyFields(input),
      }))
  }

  private replyFields({ replyTo }: { replyTo?: { id: number } | undefined }): { replyTo?: Quote } {
    return replyTo ? { replyTo: quoteOfMessage(this.store.stored.value, replyTo.id) } : {}
  }
}

function isRoomMessageEntry(entry: OutboxEntry): entry is OutboxEntry<'sendMessage'> {
  return entry.name === 'sendMessage'
}
