import {
  CloseCode,
  decodeServerFrame,
  encode,
  Kind,
  type Payload,
  type ServerValue,
} from '../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { CONNECT_TIMEOUT_MS } from '../../shared/text/limits.ts'
import type { Chance } from './simulated-chance.ts'
import type { FrameLine } from './simulated-sockets.ts'
import type { TestPerson } from './world.ts'

/** A page tries again after this, with jitter; a little sooner than a browser, so that a run has more of it. */
const RECONNECT_MS = { least: 1_000, most: 5_000 }
/** A line on which nothing was heard for so long is given up, as the browser does. */
const SILENCE_MS = 60_000
const PAUSE_MS = 1_000
/** The event of what one said oneself comes at the latest so much after the answer. */
const MOST_WAITING = 5
const SHOWN_MS = 1_000

/** Something that must not have happened; of a message that the site lost with a primary it may. */
export interface Trouble {
  what: string
  clientId: string | null
}

export interface SimulatedClientOptions {
  person: TestPerson
  roomId: number
  home: string
  chance: Chance
  /** Regions that a client may go to when it leaves its own. */
  regions: string[]
  dial: (region: string) => FrameLine
  /** Asks a region for a fresh token, as the browser does over HTTP. */
  refresh: (region: string, token: string) => Promise<string | 'refused' | 'unreachable'>
  /** Whether this message can be read in that region now. */
  isThere: (region: string, clientId: string) => boolean
}

type Reply = { answer: Payload } | { refusal: RefusalBody } | 'none'

interface Line {
  end: FrameLine
  requests: Map<number, (reply: Reply) => void>
  lastId: number
  /** The highest number that was heard or given on this line: everything that follows is above it. */
  seq: number
  heardAt: number
}

/** One tab of one person: it enters, says things, and keeps what is not answered over lost lines, as the browser does. */
export class SimulatedClient {
  readonly person: TestPerson
  /** The id of each message that was answered, by its clientId, in the order of the answers. */
  readonly answered = new Map<string, number>()
  /** What it shows, by clientId. */
  readonly shown = new Map<string, Message>()
  /** By user id, as far as it was told. */
  readonly people = new Map<number, string>()
  readonly troubles: Trouble[] = []
  /** What happened to it, for whoever looks into a seed. */
  readonly story: string[] = []
  region: string | null = null
  hasEnded = false
  private readonly options: SimulatedClientOptions
  private readonly outbox: { clientId: string; content: string }[] = []
  private line: Line | null = null
  private token: string
  private renewed = false
  private cursor = 0
  private inRoom = false
  private sending = false
  private made = 0

  constructor(options: SimulatedClientOptions) {
    this.options = options
    this.person = options.person
    this.token = options.person.token
  }

  /** Everything is answered, and it is in the room. */
  get isAtRest(): boolean {
    return this.inRoom && this.line !== null && this.outbox.length === 0
  }

  /** In words. */
  state(): string {
    const { line, region, inRoom, sending, outbox } = this
    const waiting = outbox.map(({ clientId }) => clientId)
    return `${this.person.username}: ${JSON.stringify({ region, hasLine: line !== null, inRoom, sending, waiting })}`
  }

  start(): void {
    this.connect(this.options.home)
  }

  end(): void {
    this.hasEnded = true
    this.hangUp()
  }

  /** Says something, unless too much of it waits already. */
  say(): void {
    if (this.outbox.length >= MOST_WAITING) return
    const text = `${this.person.username} ${++this.made}`
    const number = String(this.made).padStart(4, '0')
    const clientId = `00000000-0000-4000-8000-${String(this.person.userId).padStart(8, '0')}${number}`
    this.outbox.push({ clientId, content: text })
    this.flush()
  }

  /** The browser's network changes: the line is lost, and it may be another region that is near now. */
  move(): void {
    this.hangUp()
    this.reconnect()
  }

  private connect(region: string): void {
    if (this.hasEnded || this.line) return
    const end = this.options.dial(region)
    const line: Line = { end, requests: new Map(), lastId: 0, seq: 0, heardAt: Date.now() }
    this.line = line
    this.region = region
    end.onMessage = (frame) => {
      // A browser answers pings by itself, and its page hears nothing of them.
      if (frame === 'ping') end.send('pong')
      if (typeof frame === 'string') return
      line.heardAt = Date.now()
      for (const value of decodeServerFrame(frame)) if (line === this.line) this.take(line, value)
    }
    end.onClose = (code) => {
      if (line !== this.line) return
      this.note(`closed ${code}`)
      if (code === CloseCode.takenOver) this.trouble('taken over')
      this.hangUp()
      if (code === CloseCode.notSignedIn) void this.renew()
      else this.reconnect()
    }
    this.watch(line)
    void this.greet(line)
  }

  private watch(line: Line): void {
    setTimeout(() => {
      if (line !== this.line) return
      if (Date.now() - line.heardAt > SILENCE_MS) this.move()
      else this.watch(line)
    }, SILENCE_MS / 2)
  }

  private async greet(line: Line): Promise<void> {
    const { token } = this
    const { username } = this.person
    const known = this.cursor > 0 ? { cursor: this.cursor, roomId: this.options.roomId } : {}
    const who = { token, browserId: `browser of ${username}`, tabId: `tab of ${username}`, platform: 'web' }
    const reply = await this.request(line, 'hello', { protocol: PROTOCOL_MAJOR, ...who, ...known })
    if (line !== this.line) return
    if (reply === 'none') return this.move()
    if ('refusal' in reply) {
      this.note(`hello refused: ${reply.refusal.code}`)
      return reply.refusal.code === 'SessionEnded' ? this.renew() : this.move()
    }
    this.renewed = false
    const { resumed, cursor, roomId } = reply.answer
    this.note(`hello in ${this.region}: ${JSON.stringify({ resumed, cursor, roomId })}`)
    line.seq = Math.max(line.seq, resumed ? this.cursor : 0)
    if (!resumed) this.cursor = Number(cursor)
    if (resumed && roomId !== undefined) this.entered()
    else await this.join(line)
  }

  /** A token that is no longer taken is refreshed once; when that does not help, the person is logged out. */
  private async renew(): Promise<void> {
    this.hangUp()
    const { region, token } = this
    if (region === null) return
    const fresh = this.renewed ? 'refused' : await this.options.refresh(region, token)
    this.note(`refreshed: ${fresh === 'refused' || fresh === 'unreachable' ? fresh : 'yes'}`)
    if (fresh === 'refused') this.trouble('was logged out')
    if (fresh === 'refused' || fresh === 'unreachable') return this.reconnect()
    this.renewed = true
    this.token = fresh
    this.connect(region)
  }

  private async join(line: Line): Promise<void> {
    const reply = await this.request(line, 'joinRoom', { roomId: this.options.roomId })
    if (line !== this.line) return
    if (reply === 'none') this.move()
    else if ('refusal' in reply) {
      this.note(`joinRoom refused: ${reply.refusal.code} ${reply.refusal.waitMs}`)
      this.later(reply.refusal.waitMs ?? PAUSE_MS, line, () => void this.join(line))
    } else {
      line.seq = Math.max(line.seq, Number(reply.answer.cursor))
      this.entered()
    }
  }

  private entered(): void {
    this.inRoom = true
    this.flush()
  }

  private take(line: Line, value: ServerValue): void {
    if (value[0] === Kind.answer) this.settle(line, value[1], { answer: value[2] })
    else if (value[0] === Kind.refusal) this.settle(line, value[1], { refusal: value[2] })
    else if (value[0] === Kind.event) this.hear(line, value[1], value[2], value[3])
    else this.hearMoment(line, value[1], value[2])
  }

  private hear(line: Line, seq: number, name: string, payload: Payload): void {
    const message = name === 'message' ? (payload as unknown as Message) : null // the event's schema
    if (seq <= line.seq) this.trouble(`heard ${seq} after ${line.seq}`, message?.clientId)
    line.seq = Math.max(line.seq, seq)
    this.cursor = Math.max(this.cursor, seq)
    if (!message) return
    if (this.shown.has(message.clientId)) this.trouble('heard a message twice', message.clientId)
    this.shown.set(message.clientId, message)
  }

  private hearMoment(line: Line, name: string, payload: Payload): void {
    if (name === 'cursor') {
      line.seq = Math.max(line.seq, Number(payload.cursor))
      this.cursor = Math.max(this.cursor, Number(payload.cursor))
    } else if (name === 'loadRoomMessages') {
      this.shown.clear()
      for (const message of payload.messages as Message[]) this.shown.set(message.clientId, message) // its schema
    } else if (name === 'users-in-room') {
      this.people.clear()
      for (const { id, username } of payload.users as { id: number; username: string }[]) this.people.set(id, username)
    } else if (name === 'user-joined') {
      const { id, username } = payload.user as { id: number; username: string } // its schema, as the one above
      this.people.set(id, username)
    } else if (name === 'user-left') {
      for (const [id, username] of this.people) if (username === payload.username) this.people.delete(id)
    } else if (name === 'duplicateConnection' || name === 'forceDisconnect') this.trouble(`told ${name}`)
    else if (name === 'resync') {
      this.note('resync')
      this.inRoom = false
      void this.join(line)
    }
  }

  /** One message after another, each until it is answered. */
  private flush(): void {
    const { line } = this
    const [next] = this.outbox
    if (line && next && this.inRoom && !this.sending) void this.send(line, next)
  }

  private async send(line: Line, entry: { clientId: string; content: string }): Promise<void> {
    this.sending = true
    const reply = await this.request(line, 'sendMessage', { roomId: this.options.roomId, ...entry })
    this.sending = false
    if (reply === 'none') this.later(PAUSE_MS, line, () => this.flush())
    else if ('refusal' in reply) this.refused(line, reply.refusal)
    else {
      this.outbox.shift()
      this.answered.set(entry.clientId, Number(reply.answer.id))
      if (!reply.answer.behind) this.mustSee(line, entry.clientId)
    }
    this.flush()
  }

  /** Whoever has an answer reads what it tells of. */
  private mustSee(line: Line, clientId: string): void {
    if (line !== this.line || this.region === null) return
    if (!this.options.isThere(this.region, clientId)) this.trouble('was answered before its region had it', clientId)
    this.later(SHOWN_MS, line, () => {
      if (this.inRoom && !this.shown.has(clientId)) this.trouble('was answered, and does not hear it', clientId)
    })
  }

  private refused(line: Line, { code, waitMs }: RefusalBody): void {
    this.note(`refused: ${code}`)
    if (code === 'NotInRoom') {
      this.inRoom = false
      void this.join(line)
    } else if (code === 'Failed' || code === 'InvalidInput' || code === 'ClientIdReused' || code === 'SessionEnded')
      this.trouble(`refused: ${code}`)
    this.sending = true
    setTimeout(
      () => {
        this.sending = false
        this.flush()
      },
      (waitMs ?? PAUSE_MS) + this.options.chance.whole(0, 250),
    )
  }

  /** No reply where the line ends first, or none comes in time. */
  private request(line: Line, name: string, input: Payload): Promise<Reply> {
    const id = ++line.lastId
    return new Promise((resolve) => {
      line.requests.set(id, resolve)
      setTimeout(() => this.settle(line, id, 'none'), CONNECT_TIMEOUT_MS)
      line.end.send(encode([Kind.request, id, name, input]))
    })
  }

  private settle(line: Line, id: number, reply: Reply): void {
    const resolve = line.requests.get(id)
    line.requests.delete(id)
    resolve?.(reply)
  }

  private later(ms: number, line: Line, run: () => void): void {
    setTimeout(() => line === this.line && run(), ms)
  }

  private hangUp(): void {
    const { line } = this
    this.line = null
    this.inRoom = false
    line?.end.close()
    for (const id of [...(line?.requests.keys() ?? [])]) if (line) this.settle(line, id, 'none')
  }

  private reconnect(): void {
    const { chance, home, regions } = this.options
    const region = chance.happens(0.7) ? home : chance.pick(regions)
    setTimeout(() => this.connect(region), chance.whole(RECONNECT_MS.least, RECONNECT_MS.most))
  }

  private note(what: string): void {
    this.story.push(`${Date.now()} ${this.person.username}: ${what}`)
  }

  private trouble(what: string, clientId: string | null = null): void {
    this.note(what)
    this.troubles.push({ what: `${this.person.username} in ${this.region}: ${what} ${clientId ?? ''}`, clientId })
  }
}
