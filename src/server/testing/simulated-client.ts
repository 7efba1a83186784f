import { CloseCode } from '../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import type { Chance } from './simulated-chance.ts'
import { SimulatedLine } from './simulated-line.ts'
import type { FrameLine } from './simulated-sockets.ts'
import { SimulatedView } from './simulated-view.ts'
import type { TestPerson } from './world.ts'

/** A page tries again after this, with jitter; a little sooner than a browser, so that a run has more of it. */
const RECONNECT_MS = { least: 1_000, most: 5_000 }
const PAUSE_MS = 1_000
/** The event of what one said oneself comes at the latest so much after the answer. */
const HEARD_MS = 1_000
/** Whoever has so much unsent says no more. */
const MOST_WAITING = 5
/** Refusals that nothing in a run explains. */
const unexpected = new Set(['Failed', 'InvalidInput', 'ClientIdReused', 'SessionEnded'])

/** Something that must not have happened; of a message that the site lost with a primary it may. */
export interface Trouble {
  /** `early`: an answer came before the region had what it tells of. */
  kind: 'early' | 'other'
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
  /** Whether the network between this browser and the region is cut. */
  isCutFrom: (region: string) => boolean
}

/** One tab of one person: it enters, says things, and keeps what is not answered over lost lines, as the browser does. */
export class SimulatedClient {
  readonly person: TestPerson
  /** The id of each message that was answered, by its clientId, in the order of the answers. */
  readonly answered = new Map<string, number>()
  readonly view = new SimulatedView((what, clientId) => this.trouble(what, clientId))
  readonly troubles: Trouble[] = []
  /** What happened to it, for whoever looks into a seed. */
  readonly story: string[] = []
  region: string | null = null
  hasEnded = false
  private readonly options: SimulatedClientOptions
  private readonly outbox: { clientId: string; content: string }[] = []
  private line: SimulatedLine | null = null
  private token: string
  private renewed = false
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
    const content = `${this.person.username} ${++this.made}`
    const number = String(this.made).padStart(4, '0')
    const clientId = `00000000-0000-4000-8000-${String(this.person.userId).padStart(8, '0')}${number}`
    this.outbox.push({ clientId, content })
    this.flush()
  }

  /** The browser's network changes: the line is lost, and it may be another region that is near now. */
  move(): void {
    this.hangUp()
    this.reconnect()
  }

  private connect(region: string): void {
    if (this.hasEnded || this.line) return
    this.view.opened()
    const line: SimulatedLine = new SimulatedLine(this.options.dial(region), {
      answer: (name, answer) => this.view.hearAnswer(name, answer),
      event: (seq, name, payload) => this.view.hear(seq, name, payload),
      moment: (name, payload) => {
        this.view.hearMoment(name, payload)
        if (name === 'resync') this.leaveRoom(line)
      },
      ended: (code) => this.lost(code),
    })
    this.line = line
    this.region = region
    void this.greet(line)
  }

  private lost(code: number | 'silent'): void {
    this.note(`closed ${code}`)
    if (code === CloseCode.replaced) this.trouble('was taken over')
    this.hangUp()
    if (code === CloseCode.notSignedIn) void this.renew()
    else this.reconnect()
  }

  private async greet(line: SimulatedLine): Promise<void> {
    const { view, token } = this
    const { username } = this.person
    const known = view.cursor > 0 ? { cursor: view.cursor, roomId: this.options.roomId } : {}
    const who = { token, browserId: `browser of ${username}`, tabId: `tab of ${username}`, platform: 'web' }
    const reply = await line.request('hello', { protocol: PROTOCOL_MAJOR, ...who, ...known })
    if (line !== this.line) return
    if (reply === 'none') return this.move()
    if ('refusal' in reply) {
      this.note(`hello refused: ${reply.refusal.code}`)
      return reply.refusal.code === 'SessionEnded' ? this.renew() : this.move()
    }
    this.renewed = false
    const { resumed, cursor, roomId } = reply.answer
    this.note(`hello in ${this.region}: ${JSON.stringify({ resumed, cursor, roomId })}`)
    if (resumed && roomId !== undefined) this.entered()
    else await this.join(line)
  }

  /** A token that is no longer taken is refreshed once; when that does not help, the person is logged out. */
  private async renew(): Promise<void> {
    this.hangUp()
    const { region, token } = this
    if (region === null) return
    const fresh = this.renewed ? 'refused' : await this.options.refresh(region, token)
    const isFresh = fresh !== 'refused' && fresh !== 'unreachable'
    this.note(`refreshed: ${isFresh ? 'yes' : fresh}`)
    if (fresh === 'refused') this.trouble('was logged out')
    if (!isFresh) return this.reconnect()
    this.renewed = true
    this.token = fresh
    this.connect(region)
  }

  private async join(line: SimulatedLine): Promise<void> {
    const reply = await line.request('joinRoom', { roomId: this.options.roomId })
    if (line !== this.line) return
    if (reply === 'none') this.move()
    else if ('refusal' in reply) {
      this.note(`joinRoom refused: ${reply.refusal.code}`)
      this.later(reply.refusal.waitMs ?? PAUSE_MS, line, () => void this.join(line))
    } else this.entered()
  }

  private leaveRoom(line: SimulatedLine): void {
    this.inRoom = false
    void this.join(line)
  }

  private entered(): void {
    this.inRoom = true
    this.flush()
  }

  /** One message after another, each until it is answered. */
  private flush(): void {
    const { line } = this
    const [next] = this.outbox
    if (line && next && this.inRoom && !this.sending) void this.send(line, next)
  }

  private async send(line: SimulatedLine, entry: { clientId: string; content: string }): Promise<void> {
    this.sending = true
    const reply = await line.request('sendMessage', { roomId: this.options.roomId, ...entry })
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
  private mustSee(line: SimulatedLine, clientId: string): void {
    if (line !== this.line || this.region === null) return
    if (!this.options.isThere(this.region, clientId))
      this.trouble('was answered before its region had it', clientId, 'early')
    this.mustHear(line, this.region, clientId)
  }

  private mustHear(line: SimulatedLine, region: string, clientId: string): void {
    this.later(HEARD_MS, line, () => {
      if (!this.inRoom || this.view.shown.has(clientId)) return
      if (this.options.isCutFrom(region)) this.mustHear(line, region, clientId)
      else this.trouble('was answered, and does not hear it', clientId)
    })
  }

  private refused(line: SimulatedLine, { code, waitMs = PAUSE_MS }: RefusalBody): void {
    this.note(`refused: ${code}`)
    if (unexpected.has(code)) this.trouble(`refused: ${code}`)
    if (code === 'NotInRoom' && line === this.line) this.leaveRoom(line)
    this.sending = true
    const again = () => {
      this.sending = false
      this.flush()
    }
    setTimeout(again, waitMs + this.options.chance.whole(0, 250))
  }

  private later(ms: number, line: SimulatedLine, run: () => void): void {
    setTimeout(() => line === this.line && run(), ms)
  }

  private hangUp(): void {
    const { line } = this
    this.line = null
    this.inRoom = false
    line?.close()
  }

  private reconnect(): void {
    const { chance, home, regions } = this.options
    const region = chance.happens(0.7) ? home : chance.pick(regions)
    setTimeout(() => this.connect(region), chance.whole(RECONNECT_MS.least, RECONNECT_MS.most))
  }

  private note(what: string): void {
    this.story.push(`${Date.now()} ${this.person.username}: ${what}`)
  }

  private trouble(what: string, clientId: string | null = null, kind: Trouble['kind'] = 'other'): void {
    this.note(what)
    this.troubles.push({ kind, what: `${this.person.username} in ${this.region}: ${what} ${clientId ?? ''}`, clientId })
  }
}
