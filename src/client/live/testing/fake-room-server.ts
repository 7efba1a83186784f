import { type ClientValue, Kind, type Payload, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/quotes.ts'
import type { FakeEnvironment, FakeTransport } from './fake-environment.ts'
import { ADA, ADA_AS_ROOT_ADMIN } from './fixture-users.ts'
import { createMessage, createRoomPage } from './room-harness.ts'

/** A client that has missed more events than this starts over. */
const MAX_REPLAYED = 12

interface FakeConnection {
  transport: FakeTransport
  /** Hello was answered: her own events come. */
  isHelloAnswered: boolean
  isInRoom: boolean
  /** What is on its way to the client, by frames: answers and events overtake each other, events no events. */
  answers: ServerValue[][]
  events: ServerValue[][]
  toServer: ClientValue[]
}

/** One room as the protocol has it, with a network in between that the test moves, cuts and doubles by hand. */
export class FakeRoomServer {
  readonly log: { seq: number; message: Message }[] = []
  /** Whom Ada has blocked, and how that came to be. */
  readonly blockedIds = new Set<number>()
  private readonly blockEvents: { seq: number; value: ServerValue }[] = []
  /** The next writes are refused with these. */
  readonly refusals: RefusalBody[] = []
  /** The place in the log. */
  cursor = 100
  private environment: FakeEnvironment
  private connection: FakeConnection | null = null

  constructor(environment: FakeEnvironment) {
    this.environment = environment
    this.attachTo(environment)
  }

  /** The page was loaded anew: its lines come from another environment now. */
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

  /** What a page rendered now would show. */
  latestMessages(): Message[] {
    return this.visibleMessages().slice(-MESSAGES_PER_PAGE)
  }

  /** The client is in the room, and nothing is on its way. */
  isIdle(): boolean {
    const { isInRoom, answers, events, toServer } = this.connection ?? {
      isInRoom: false,
      answers: [],
      events: [],
      toServer: [],
    }
    return isInRoom && answers.length + events.length + toServer.length === 0
  }

  /** Somebody says something; Ada's own come from her client. */
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

  /** The network lets the client in, if it waits to be. */
  acceptConnection(): void {
    if (this.connection?.transport.isOpen && this.connection.transport.sent.length === 0)
      this.connection.transport.accept()
  }

  /** The server carries out what the client sent first. */
  executeNext(): void {
    const value = this.connection?.toServer.shift()
    if (this.connection && value?.[0] === Kind.request) this.answer(this.connection, value[1], value[2], value[3])
  }

  /** An answer arrives, and with it what follows it. */
  deliverAnswer(twice: boolean): void {
    this.deliver(this.connection?.answers.shift(), twice)
  }

  /** An event arrives. */
  deliverEvent(twice: boolean): void {
    const next = this.connection?.events.shift()
    if (!next) return
    const isBlock = this.blockEvents.some(({ value }) => value === next[0])
    // What was answered before a block comes before it, in one frame with it, and once: only what is kept is told again.
    const before = isBlock ? this.connection?.answers.splice(0).flat() : []
    this.deliver([...(before ?? []), ...next], false)
    if (twice) this.deliver(next, false)
  }

  /** The line breaks, with whatever is on it. */
  disconnect(): void {
    this.connection?.transport.drop()
    this.connection = null
  }

  /** What the client sent first is never answered, though the line is there. */
  dropNextRequest(): void {
    this.connection?.toServer.shift()
  }

  /** The client must fetch its state anew, and hears nothing of the room until it has. */
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
    // What was missed follows the answer, before any newer event.
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
