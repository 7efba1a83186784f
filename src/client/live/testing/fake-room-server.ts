import { type ClientValue, Kind, type Payload, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { KEPT_MESSAGES } from '../../../shared/text/limits.ts'
import type { FakeEnvironment, FakeWire } from './fake-environment.ts'
import { ada } from './people.ts'
import { messageOf, pageOf } from './room-client.ts'

/** A client that has missed more events than this starts over. */
const REPLAYED = 12

interface Line {
  wire: FakeWire
  isInRoom: boolean
  /** What is on its way to the client, by frames: answers and events overtake each other, events no events. */
  answers: ServerValue[][]
  events: ServerValue[][]
  toServer: ClientValue[]
}

/** One room as the protocol has it, with a network in between that the test moves, cuts and doubles by hand. */
export class FakeRoomServer {
  readonly log: { seq: number; message: Message }[] = []
  /** The next writes are refused with these. */
  readonly refusals: RefusalBody[] = []
  /** The place in the log. */
  cursor = 100
  private environment: FakeEnvironment
  private line: Line | null = null

  constructor(environment: FakeEnvironment) {
    this.environment = environment
    this.moveTo(environment)
  }

  /** The page was loaded anew: its lines come from another environment now. */
  moveTo(environment: FakeEnvironment): void {
    this.environment = environment
    environment.onWire = (wire) => {
      const line: Line = { wire, isInRoom: false, answers: [], events: [], toServer: [] }
      wire.onSent = (value) => line.toServer.push(value)
      this.line = line
    }
  }

  /** What a page rendered now would show. */
  latest(): Message[] {
    return this.log.slice(-KEPT_MESSAGES).map(({ message }) => message)
  }

  /** The client is in the room, and nothing is on its way. */
  isAtRest(): boolean {
    const { isInRoom, answers, events, toServer } = this.line ?? {
      isInRoom: false,
      answers: [],
      events: [],
      toServer: [],
    }
    return isInRoom && answers.length + events.length + toServer.length === 0
  }

  /** Somebody says something; Ada's own come from her client. */
  say(message: Partial<Message> = {}): Message {
    const id = this.log.length + 1
    const said = messageOf(id, { createdAt: this.environment.now(), ...message })
    this.cursor += 1 + (id % 3)
    this.log.push({ seq: this.cursor, message: said })
    if (this.line?.isInRoom) this.line.events.push([[Kind.event, this.cursor, 'message', said]])
    return said
  }

  /** The network lets the client in, if it waits to be. */
  accept(): void {
    if (this.line?.wire.isOpen && this.line.wire.sent.length === 0) this.line.wire.accept()
  }

  /** The server carries out what the client sent first. */
  carryOut(): void {
    const value = this.line?.toServer.shift()
    if (this.line && value?.[0] === Kind.request) this.answer(this.line, value[1], value[2], value[3])
  }

  /** An answer arrives, and with it what follows it. */
  deliverAnswer(twice: boolean): void {
    this.deliver(this.line?.answers.shift(), twice)
  }

  /** An event arrives. */
  deliverEvent(twice: boolean): void {
    this.deliver(this.line?.events.shift(), twice)
  }

  /** The line breaks, with whatever is on it. */
  cut(): void {
    this.line?.wire.drop()
    this.line = null
  }

  /** What the client sent first is never answered, though the line is there. */
  lose(): void {
    this.line?.toServer.shift()
  }

  /** The client must fetch its state anew, and hears nothing of the room until it has. */
  resync(): void {
    if (!this.line?.isInRoom) return
    this.line.isInRoom = false
    this.line.events.push([[Kind.moment, 'resync', {}]])
  }

  private deliver(values: ServerValue[] | undefined, twice: boolean): void {
    if (!values) return
    this.line?.wire.receive(...values)
    if (twice) this.line?.wire.receive(...values)
  }

  private answer(line: Line, id: number, name: string, input: Payload): void {
    if (name === 'hello') this.hello(line, id, input)
    else if (name === 'joinRoom') this.joinRoom(line, id, input)
    else if (name === 'sendMessage') line.answers.push([this.sendMessage(line, id, input)])
  }

  private hello(line: Line, id: number, { cursor, roomId }: Payload): void {
    const missed = this.log.filter(({ seq }) => seq > Number(cursor))
    const resumed = missed.length <= REPLAYED
    line.isInRoom = resumed && roomId !== undefined
    const answer = { user: ada, cursor: this.cursor, resumed, serverTime: this.environment.now() }
    const here = line.isInRoom && { roomId }
    // What was missed follows the answer, before any newer event.
    line.events.push([[Kind.answer, id, { ...answer, ...here }], ...(line.isInRoom ? this.asEvents(missed) : [])])
  }

  private joinRoom(line: Line, id: number, { roomId, cursor }: Payload): void {
    line.isInRoom = true
    const missed = this.log.filter(({ seq }) => seq > Number(cursor))
    const replays = cursor !== undefined && missed.length <= REPLAYED
    const answer = { room: pageOf().room, cursor: this.cursor, exempt: true, inRoomForMs: 0 }
    if (replays) line.answers.push([[Kind.answer, id, { ...answer, missed: this.asEvents(missed) }]])
    else {
      const loaded: ServerValue = [Kind.moment, 'loadRoomMessages', { roomId, messages: this.latest() }]
      line.answers.push([[Kind.answer, id, answer], loaded])
    }
  }

  private sendMessage(line: Line, id: number, { content, clientId }: Payload): ServerValue {
    const refusal = line.isInRoom ? this.refusals.shift() : { code: 'NotInRoom' as const, message: 'Önce girin.' }
    const before = this.log.find(({ message }) => message.clientId === clientId)?.message
    if (refusal && !before) return [Kind.refusal, id, refusal]
    const own = { senderId: ada.id, senderUsername: ada.username, content: String(content), clientId: String(clientId) }
    const message = before ?? this.say(own)
    return [Kind.answer, id, { success: true, id: message.id, createdAt: message.createdAt }]
  }

  private asEvents(rows: { seq: number; message: Message }[]): ServerValue[] {
    return rows.map(({ seq, message }) => [Kind.event, seq, 'message', message])
  }
}
