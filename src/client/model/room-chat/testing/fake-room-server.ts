import { type ClientValue, Kind, type Payload, type ServerValue } from '../../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../../shared/protocol/refusals.ts'
import { MESSAGES_PER_PAGE } from '../../../../shared/room-chat/limits.ts'
import type { Message } from '../../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../../shared/room-chat/redacted-quotes.ts'
import { ADA, ADA_AS_ROOT_ADMIN } from '../../../core/live/testing/fixture-users.ts'
import type { FakeEnvironment, FakeTransport } from '../../../core/platform/testing/fake-environment.ts'
import { createMessage, createRoomPage } from './room-harness.ts'

/** A client that has missed more events than this gets a resync. */
const MAX_REPLAYED = 12

interface FakeConnection {
  transport: FakeTransport
  /** Hello was answered, so Ada's own events are sent. */
  isHelloAnswered: boolean
  isInRoom: boolean
  /** Frames in flight to the client. Answers and events may overtake each other; events keep their order. */
  answers: ServerValue[][]
  events: ServerValue[][]
  toServer: ClientValue[]
}

/** One room by the protocol. The test delivers, drops and duplicates its frames by hand. */
export class FakeRoomServer {
  readonly log: { seq: number; message: Message }[] = []
  /** The users blocked by Ada; `blockEvents` are the events of these blocks. */
  readonly blockedIds = new Set<number>()
  private readonly blockEvents: { seq: number; value: ServerValue }[] = []
  /** Refusals of the next writes. */
  readonly refusals: RefusalBody[] = []
  /** The cursor of the log. */
  cursor = 100
  private environment: FakeEnvironment
  private connection: FakeConnection | null = null

  constructor(environment: FakeEnvironment) {
    this.environment = environment
    this.attachTo(environment)
  }

  /** Serves the environment of a reloaded page. */
  attachTo(environment: FakeEnvironment): void {
    this.environment = environment
    environment.onTransport = (wire) => {
      const connection: FakeConnection = {
        transport: wire,
        isHelloAnswered: false,
        isInRoom: false,
        answers: [],
        events: [],
        toServer: [],
      }
      wire.onSent = (value) => connection.toServer.push(value)
      this.connection = connection
    }
  }

  /** The messages of a page rendered now. */
  latestMessages(): Message[] {
    return this.visibleMessages().slice(-MESSAGES_PER_PAGE)
  }

  /** Whether the client is in the room and nothing is in flight. */
  isIdle(): boolean {
    const { isInRoom, answers, events, toServer } = this.connection ?? {
      isInRoom: false,
      answers: [],
      events: [],
      toServer: [],
    }
    return isInRoom && answers.length + events.length + toServer.length === 0
  }

  /** Posts a message of another user; Ada's own come from her client. */
  postMessage(message: Partial<Message> = {}): Message {
    const id = this.log.length + 1
    const stored = createMessage(id, { createdAt: this.environment.now(), ...message })
    this.cursor += 1 + (id % 3)
    this.log.push({ seq: this.cursor, message: stored })
    if (this.connection?.isInRoom)
      this.connection.events.push(...this.toEvents([{ seq: this.cursor, message: stored }]).map(asFrame))
    return stored
  }

  /** Ada blocks somebody in another tab, or lifts the block. */
  setBlocked(blockedId: number, isBlocked: boolean): void {
    if (this.blockedIds.has(blockedId) === isBlocked) return
    if (isBlocked) this.blockedIds.add(blockedId)
    else this.blockedIds.delete(blockedId)
    const name = isBlocked ? 'userBlocked' : 'userUnblocked'
    const between = { blockerUsername: ADA.username, blockedUsername: `kişi${blockedId}`, message: '' }
    const value: ServerValue = [Kind.event, ++this.cursor, name, { ...between, blockerId: ADA.id, blockedId }]
    this.blockEvents.push({ seq: this.cursor, value })
    if (this.connection?.isHelloAnswered) this.connection.events.push([value])
  }

  /** Opens a connection that the client has requested. */
  acceptConnection(): void {
    if (this.connection?.transport.isOpen && this.connection.transport.sent.length === 0)
      this.connection.transport.accept()
  }

  /** Executes the client's oldest request. */
  executeNext(): void {
    const value = this.connection?.toServer.shift()
    if (this.connection && value?.[0] === Kind.request) this.answer(this.connection, value[1], value[2], value[3])
  }

  /** Delivers the oldest answer, with the values in its frame. */
  deliverAnswer(twice: boolean): void {
    this.deliver(this.connection?.answers.shift(), twice)
  }

  /** Delivers the oldest event. */
  deliverEvent(twice: boolean): void {
    const next = this.connection?.events.shift()
    if (!next) return
    const isBlock = this.blockEvents.some(({ value }) => value === next[0])
    // Answers before a block come in its frame and before it, and only once: only logged events are sent again.
    const before = isBlock ? this.connection?.answers.splice(0).flat() : []
    this.deliver([...(before ?? []), ...next], false)
    if (twice) this.deliver(next, false)
  }

  /** Breaks the connection with all frames in flight. */
  disconnect(): void {
    this.connection?.transport.drop()
    this.connection = null
  }

  /** Drops the client's oldest request, while the connection stays open. */
  dropNextRequest(): void {
    this.connection?.toServer.shift()
  }

  /** Makes the client resync; it receives no room events until it has joined again. */
  sendResync(): void {
    if (!this.connection?.isInRoom) return
    this.connection.isInRoom = false
    this.connection.events.push([[Kind.ephemeral, 'resync', {}]])
  }

  private deliver(values: ServerValue[] | undefined, twice: boolean): void {
    if (!values) return
    this.connection?.transport.receive(...values)
    if (twice) this.connection?.transport.receive(...values)
  }

  private answer(connection: FakeConnection, id: number, name: string, input: Payload): void {
    if (name === 'hello') this.hello(connection, id, input)
    else if (name === 'getMessages') connection.answers.push([this.getMessages(id, input)])
    else if (name === 'joinRoom') this.joinRoom(connection, id, input)
    else if (name === 'sendMessage') connection.answers.push([this.sendMessage(connection, id, input)])
  }

  private hello(connection: FakeConnection, id: number, { cursor, roomId }: Payload): void {
    const missed = this.log.filter(({ seq }) => seq > Number(cursor))
    const resumed = missed.length <= MAX_REPLAYED
    connection.isHelloAnswered = true
    connection.isInRoom = resumed && roomId !== undefined
    const answer = { user: ADA_AS_ROOT_ADMIN, cursor: this.cursor, resumed, serverTime: this.environment.now() }
    const here = connection.isInRoom && { roomId }
    const own = this.blockEvents.filter(({ seq }) => seq > Number(cursor)).map(({ value }) => value)
    const all = [...own, ...(connection.isInRoom ? this.toEvents(missed) : [])].toSorted(
      (a, b) => Number(a[1]) - Number(b[1]),
    )
    // Missed events follow the answer, before any newer event.
    connection.events.push([[Kind.answer, id, { ...answer, ...here }], ...(resumed ? all : [])])
  }

  private joinRoom(connection: FakeConnection, id: number, { roomId, cursor }: Payload): void {
    connection.isInRoom = true
    const missed = this.log.filter(({ seq }) => seq > Number(cursor))
    const replays = cursor !== undefined && missed.length <= MAX_REPLAYED
    const answer = { room: createRoomPage().room, cursor: this.cursor, exempt: true, inRoomForMs: 0 }
    if (replays) connection.answers.push([[Kind.answer, id, { ...answer, missed: this.toEvents(missed) }]])
    else {
      const loaded: ServerValue = [Kind.ephemeral, 'loadRoomMessages', { roomId, messages: this.latestMessages() }]
      connection.answers.push([[Kind.answer, id, answer], loaded])
    }
  }

  private sendMessage(connection: FakeConnection, id: number, { content, clientId }: Payload): ServerValue {
    const refusal = connection.isInRoom ? this.refusals.shift() : { code: 'NotInRoom' as const, message: 'Önce girin.' }
    const before = this.log.find(({ message }) => message.clientId === clientId)?.message
    if (refusal && !before) return [Kind.refusal, id, refusal]
    const own = { senderId: ADA.id, senderUsername: ADA.username, content: String(content), clientId: String(clientId) }
    const message = before ?? this.postMessage(own)
    return [Kind.answer, id, { success: true, id: message.id, createdAt: message.createdAt }]
  }

  private getMessages(id: number, { before, after }: Payload): ServerValue {
    const all = this.visibleMessages()
    const beyond = all.filter((message) =>
      after === undefined ? message.id < Number(before ?? Number.POSITIVE_INFINITY) : message.id > Number(after),
    )
    const messages = after === undefined ? beyond.slice(-MESSAGES_PER_PAGE) : beyond.slice(0, MESSAGES_PER_PAGE)
    return [Kind.answer, id, { roomId: 1, messages, more: beyond.length > messages.length }]
  }

  private toEvents(rows: { seq: number; message: Message }[]): ServerValue[] {
    return rows.flatMap(({ seq, message }) =>
      this.visibleToAda(message).map((shown): ServerValue => [Kind.event, seq, 'message', shown]),
    )
  }

  private visibleMessages(): Message[] {
    return this.log.flatMap(({ message }) => this.visibleToAda(message))
  }

  private visibleToAda(message: Message): Message[] {
    if (this.blockedIds.has(message.senderId)) return []
    return [this.blockedIds.has(message.replyTo?.senderId ?? 0) ? redactQuote(message) : message]
  }
}

function asFrame(value: ServerValue): ServerValue[] {
  return [value]
}
