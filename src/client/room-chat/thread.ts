import type { CommandAnswer } from '../../shared/protocol/catalogue.ts'
import { type Refusal, type RefusalBody, refuseLocally } from '../../shared/protocol/refusals.ts'
import type { Message, Quote } from '../../shared/room-chat/message.ts'
import { checkSendLimits, normaliseMessage, type SendLimitVerdict } from '../../shared/room-chat/rules.ts'
import type { RoomPageProps } from '../../shared/rooms/page.ts'
import { CONSECUTIVE_MESSAGES_PAUSE_MS, JOIN_WAIT_MS, MAX_MESSAGE_LENGTH } from '../../shared/text/limits.ts'
import type { Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import type { Entry, Outbox } from '../live/outbox.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import type { Joined, RoomLine } from '../rooms/room-line.ts'
import { computed, signal } from '../signal.ts'
import { bubbleOf, type Known, lastMessage, quoteFrom, together } from './bubbles.ts'
import { Messages } from './messages.ts'
import { ChatNotice, type Notice } from './notice.ts'
import type { Bubble, BubbleSender } from './state.ts'

/** Shown at a message to which no answer came (specification 1, points 4 and 8). */
const NOT_SENT = 'Mesaj gönderilemedi!'

interface Place {
  roomId: number
  ownerId: number | null
  viewer: BubbleSender
}

/** The conversation of the room that is shown: the server's messages, one's own on their way, and the chat limits. */
export class Thread {
  readonly notice: ChatNotice
  /** What the composer has to say: of the limits and the room, or else of a message that waits; null for nothing. */
  readonly said = computed(() => this.notice.shown.value ?? this.waitSaid())
  readonly messages = new Messages((known) => this.settle(known))
  /** The messages that end with the latest one, one's own unsent ones among them; shown or not. */
  readonly latest = computed(() => together(this.messages.latest.value, this.unsent.value))
  /** What is shown: the latest messages, or what was said earlier. */
  readonly bubbles = computed(() =>
    this.messages.past.value.upTo === null ? this.latest.value : together(this.messages.shown.value, []),
  )

  private readonly environment: Environment
  private readonly live: Live
  private readonly outbox: Outbox
  private readonly roomLine: RoomLine
  private readonly place = signal<Place | null>(null)
  readonly viewerName = computed(() => this.place.value?.viewer.username ?? '')
  private readonly unsent = computed(() => this.unsentBubbles())
  /** The last message that the server's region could not pass on, and what is said of it while it waits. */
  private readonly cutOff = signal<{ clientId: string; notice: Notice } | null>(null)
  /** Events up to here are in `known`, though not every one of them came to us. */
  private coveredTo = 0
  /** When we entered the room, by this machine's clock; null when we have not yet. */
  private enteredAt: number | null = null
  private exempt = false
  /** On this line, a message found us outside the room, and we entered again for it. */
  private enteredAgain = false

  constructor(environment: Environment, live: Live, outbox: Outbox, roomLine: RoomLine) {
    this.environment = environment
    this.live = live
    this.outbox = outbox
    this.roomLine = roomLine
    this.notice = new ChatNotice(environment)
    live.on('message', (message, seq) => this.arrived(message, seq ?? 0))
    live.on('loadRoomMessages', ({ roomId, messages }) => this.isHere(roomId) && this.messages.load(messages))
    live.on('clearMessages', ({ roomId }, seq) => this.isNews(roomId, seq) && this.messages.clear())
    live.on(
      'removeBannedMessages',
      ({ roomId, userId }, seq) => this.isNews(roomId, seq) && this.messages.removeOf(userId),
    )
    followBlocks(live, { blocked: (userId) => this.messages.removeOf(userId) })
    live.on('userProfileUpdated', ({ user }) => {
      const place = this.place.peek()
      if (place?.viewer.id === user.id) this.renewed(place, user)
      this.messages.renew([user])
    })
    // What was said before may have come under an earlier name, from a replay too.
    live.on('user-joined', ({ roomId, user }) => this.isHere(roomId) && this.messages.renew([user]))
    live.on('users-in-room', ({ roomId, users }) => this.isHere(roomId) && this.messages.renew(users))
    live.onConnected(() => {
      this.enteredAgain = false
    })
    roomLine.listen({
      opened: (page) => this.open(page),
      anew: () => this.messages.forgetSeqs(),
      joined: (joined) => this.joined(joined),
      refused: ({ message }) => this.notice.warn(message),
    })
    outbox.register('sendMessage', {
      lane: ({ roomId }) => `room:${roomId}`,
      isReady: ({ roomId }) => live.roomId === roomId,
      answered: (entry, answer) => this.answered(entry, answer),
      retryAfter: (entry, refusal) => this.retryAfter(entry, refusal),
      waits: (entry, refusal) => this.waits(entry, refusal),
      unanswered: NOT_SENT,
    })
  }

  /**
   * Says something in the room. It is shown at once, and sent when it can be. A refusal means that it was not taken,
   * so the text is to stay in the composer; null is also the answer to text in which there is nothing to see.
   * @param replyToId the message that this one answers
   */
  say(text: string, replyToId?: number | null): Refusal | null {
    const place = this.place.peek()
    if (!place) return refuseLocally('NotInRoom')
    const content = normaliseMessage(text.toWellFormed())
    if (!content) return null
    if (content.length > MAX_MESSAGE_LENGTH) return refuseLocally('TooLarge')
    const held = this.held()
    if (held) return held
    const replyTo = replyToId ? { replyTo: { id: replyToId } } : {}
    return this.outbox.put('sendMessage', {
      roomId: place.roomId,
      content,
      ...replyTo,
      clientId: this.environment.uuid(),
    })
  }

  /** Sends a failed message again, under the same clientId, so that it cannot be there twice. */
  tryAgain(key: string): void {
    if (!this.held()) this.outbox.retry(key)
  }

  /** Gives a failed message up. */
  discard(key: string): void {
    this.outbox.remove(key)
  }

  /** The chat limits' refusal of a message now, with its notice; null when they allow it. */
  private held(): Refusal | null {
    const verdict = this.verdict()
    if (!('refused' in verdict)) return null
    const refusal = refuseLocally(verdict.refused, { waitMs: verdict.waitMs })
    this.notice.pause(refusal.body.message, verdict.waitMs)
    return refusal
  }

  private verdict(): SendLimitVerdict {
    const inRoomForMs = this.enteredAt === null ? 0 : this.environment.now() - this.enteredAt
    const last = lastMessage(this.latest.peek(), this.live.serverNow())
    return checkSendLimits({ exempt: this.exempt, inRoomForMs, last })
  }

  /** Whether an event is of this room, and not of what its page or snapshot covers. */
  private isNews(roomId: number, seq: number | null): boolean {
    return this.isHere(roomId) && (seq ?? 0) > this.coveredTo
  }

  /** Whoever looks is shown so from now on, and may be a root admin now, or no more. */
  private renewed(place: Place, viewer: BubbleSender): void {
    this.place.value = { ...place, viewer }
    if (viewer.role === place.viewer.role) return
    this.exempt = viewer.role === 'rootadmin' || place.ownerId === viewer.id
    this.lookAgain()
  }

  private isHere(roomId: number): boolean {
    return roomId === this.place.peek()?.roomId
  }

  /** The same room again keeps what has come since its page was rendered. */
  private open({ room, messages, cursor, viewer }: RoomPageProps): void {
    if (this.isHere(room.id)) {
      this.messages.openAgain(messages)
      return
    }
    this.place.value = { roomId: room.id, ownerId: room.ownerId, viewer }
    this.coveredTo = cursor
    this.enteredAt = null
    this.exempt = viewer.role === 'rootadmin' || room.ownerId === viewer.id
    this.notice.clear()
    this.outbox.open(viewer.id)
    this.messages.open(messages, viewer.id)
  }

  /** What the server has is unsent no more. */
  private settle(known: readonly Known[]): void {
    const keys = new Set(known.map(({ bubble }) => bubble.key))
    for (const { clientId } of this.outbox.entries.peek()) if (keys.has(clientId)) this.outbox.remove(clientId)
  }

  private joined({ cursor, exempt, inRoomForMs }: Joined): void {
    this.coveredTo = cursor
    this.exempt = exempt
    this.enteredAt = this.environment.now() - inRoomForMs
    this.notice.clearWarning()
    this.lookAgain()
    this.outbox.flush()
  }

  private arrived(message: Message, seq: number): void {
    const place = this.place.peek()
    if (message.roomId !== place?.roomId || seq <= this.coveredTo) return
    this.messages.add(bubbleOf(message, place.viewer.id), seq)
    this.lookAgain()
  }

  /** Something has come that may end a pause, or make it shorter. */
  private lookAgain(): void {
    if (this.notice.isPause() && !this.held()) this.notice.release()
  }

  private answered({ input, clientId }: Entry<'sendMessage'>, { id, createdAt }: CommandAnswer<'sendMessage'>): void {
    const place = this.place.peek()
    if (id === undefined || createdAt === undefined || input.roomId !== place?.roomId) return
    const bubble: Bubble = {
      key: clientId,
      id,
      content: input.content,
      createdAt,
      sender: place.viewer,
      isOwn: true,
      status: 'sent',
      ...this.quoteIn(input),
    }
    this.messages.add(bubble, 0)
  }

  private retryAfter({ input }: Entry<'sendMessage'>, { code, message, waitMs }: RefusalBody): number | null {
    this.cutOff.value = null // it was attended to
    // It waits until the person comes back to its room.
    if (!this.isHere(input.roomId)) return 0
    switch (code) {
      case 'JustJoined': {
        // The server counts from later than we knew: a cut line made us enter anew.
        const wait = waitMs ?? JOIN_WAIT_MS
        this.enteredAt = this.environment.now() - JOIN_WAIT_MS + wait
        this.notice.pause(message, wait)
        return wait
      }
      case 'TooManyInARow':
        this.notice.pause(message, waitMs ?? CONSECUTIVE_MESSAGES_PAUSE_MS)
        return null
      case 'NotInRoom':
        if (this.enteredAgain) return null
        this.enteredAgain = true
        this.roomLine.enterAgain()
        return 0
      default:
        return null
    }
  }

  private waits({ clientId }: Entry<'sendMessage'>, { code, message }: RefusalBody): void {
    if (code !== 'RegionCut' || this.cutOff.peek()?.clientId === clientId) return
    this.cutOff.value = { clientId, notice: { kind: 'warning', text: message, until: null } }
  }

  private waitSaid(): Notice | null {
    const cutOff = this.cutOff.value
    const waits = this.bubbles.value.some(({ key, status }) => key === cutOff?.clientId && status === 'pending')
    return waits ? (cutOff?.notice ?? null) : null
  }

  private unsentBubbles(): Bubble[] {
    const place = this.place.value
    if (!place) return []
    return this.outbox.entries.value
      .filter(isMessage)
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
        ...this.quoteIn(input),
      }))
  }

  private quoteIn({ replyTo }: { replyTo?: { id: number } | undefined }): { replyTo?: Quote } {
    return replyTo ? { replyTo: quoteFrom(this.messages.known.value, replyTo.id) } : {}
  }
}

function isMessage(entry: Entry): entry is Entry<'sendMessage'> {
  return entry.name === 'sendMessage'
}
