import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import type { TestUser } from '../fixtures/test-region.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedClientView } from './simulated-client-view.ts'
import { SimulatedConnection } from './simulated-connection.ts'
import type { FrameSocket } from './socket-adapters.ts'

/** A page tries again after this, with jitter; a little sooner than a browser, so that a run has more of it. */
const RECONNECT_MS = { least: 1_000, most: 5_000 }
const PAUSE_MS = 1_000
/** The event of what one said oneself comes at the latest so much after the answer. */
const EVENT_DELIVERY_MS = 1_000
/** Whoever has so much unsent says no more. */
const MAX_OUTBOX_LENGTH = 5
/** Refusals that nothing in a run explains. */
const UNEXPECTED_REFUSALS = new Set(['Failed', 'InvalidInput', 'ClientIdReused', 'SessionEnded'])

/** Something that must not have happened; of a message that the site lost with a primary it may. */
export interface Violation {
  /** `answeredTooEarly`: an answer came before the region had what it tells of. */
  kind: 'answeredTooEarly' | 'other'
  description: string
  clientId: string | null
}

export interface SimulatedClientOptions {
  person: TestUser
  roomId: number
  homeRegion: string
  random: SeededRandom
  /** Regions that a client may go to when it leaves its own. */
  regions: string[]
  connect: (region: string) => FrameSocket
  /** Asks a region for a fresh token, as the browser does over HTTP. */
  refreshToken: (region: string, token: string) => Promise<string | 'refused' | 'unreachable'>
  /** Whether this message can be read in that region now. */
  hasMessage: (region: string, clientId: string) => boolean
  /** Whether the network between this browser and the region is cut. */
  isCutFrom: (region: string) => boolean
}

/** One tab of one person: it enters, says things, and keeps what is not answered over lost lines, as the browser does. */
export class SimulatedClient {
  readonly person: TestUser
  /** The id of each message that was answered, by its clientId, in the order of the answers. */
  readonly answered = new Map<string, number>()
  readonly view = new SimulatedClientView((what, clientId) => this.reportViolation(what, clientId))
  readonly violations: Violation[] = []
  /** What happened to it, for whoever looks into a seed. */
  readonly trace: string[] = []
  region: string | null = null
  hasEnded = false
  private readonly options: SimulatedClientOptions
  private readonly outbox: { clientId: string; content: string }[] = []
  private connection: SimulatedConnection | null = null
  private token: string
  private hasRefreshedToken = false
  private isInRoom = false
  private isSending = false
  private messageCount = 0

  constructor(options: SimulatedClientOptions) {
    this.options = options
    this.person = options.person
    this.token = options.person.token
  }

  /** Everything is answered, and it is in the room. */
  get isIdle(): boolean {
    return this.isInRoom && this.connection !== null && this.outbox.length === 0
  }

  /** In words. */
  describeState(): string {
    const { connection, region, isInRoom, isSending, outbox } = this
    const waiting = outbox.map(({ clientId }) => clientId)
    return `${this.person.username}: ${JSON.stringify({ region, hasLine: connection !== null, inRoom: isInRoom, sending: isSending, waiting })}`
  }

  start(): void {
    this.connect(this.options.homeRegion)
  }

  end(): void {
    this.hasEnded = true
    this.dropConnection()
  }

  /** Says something, unless too much of it waits already. */
  sendMessage(): void {
    if (this.outbox.length >= MAX_OUTBOX_LENGTH) return
    const content = `${this.person.username} ${++this.messageCount}`
    const number = String(this.messageCount).padStart(4, '0')
    const clientId = `00000000-0000-4000-8000-${String(this.person.userId).padStart(8, '0')}${number}`
    this.outbox.push({ clientId, content })
    this.flushOutbox()
  }

  /** The browser's network changes: the line is lost, and it may be another region that is near now. */
  changeNetwork(): void {
    this.dropConnection()
    this.reconnect()
  }

  private connect(region: string): void {
    if (this.hasEnded || this.connection) return
    this.view.onConnected()
    const line: SimulatedConnection = new SimulatedConnection(this.options.connect(region), {
      onAnswer: (name, answer) => this.view.onAnswer(name, answer),
      onEvent: (seq, name, payload) => this.view.onEvent(seq, name, payload),
      onEphemeral: (name, payload) => {
        this.view.onEphemeral(name, payload)
        if (name === 'resync') this.rejoinRoom(line)
      },
      onEnd: (code) => this.onConnectionEnded(code),
    })
    this.connection = line
    this.region = region
    void this.sendHello(line)
  }

  private onConnectionEnded(code: number | 'silent'): void {
    this.addTrace(`closed ${code}`)
    if (code === CloseCode.replaced) this.reportViolation('was taken over')
    this.dropConnection()
    if (code === CloseCode.notSignedIn) void this.refreshSession()
    else this.reconnect()
  }

  private async sendHello(line: SimulatedConnection): Promise<void> {
    const { view, token } = this
    const { username } = this.person
    const known = view.cursor > 0 ? { cursor: view.cursor, roomId: this.options.roomId } : {}
    const who = { token, browserId: `browser of ${username}`, tabId: `tab of ${username}`, platform: 'web' }
    const reply = await line.request('hello', { protocol: PROTOCOL_MAJOR, ...who, ...known })
    if (line !== this.connection) return
    if (reply === 'none') return this.changeNetwork()
    if ('refusal' in reply) {
      this.addTrace(`hello refused: ${reply.refusal.code}`)
      return reply.refusal.code === 'SessionEnded' ? this.refreshSession() : this.changeNetwork()
    }
    this.hasRefreshedToken = false
    const { resumed, cursor, roomId } = reply.answer
    this.addTrace(`hello in ${this.region}: ${JSON.stringify({ resumed, cursor, roomId })}`)
    if (resumed && roomId !== undefined) this.onRoomJoined()
    else await this.joinRoom(line)
  }

  /** A token that is no longer taken is refreshed once; when that does not help, the person is logged out. */
  private async refreshSession(): Promise<void> {
    this.dropConnection()
    const { region, token } = this
    if (region === null) return
    const fresh = this.hasRefreshedToken ? 'refused' : await this.options.refreshToken(region, token)
    const isFresh = fresh !== 'refused' && fresh !== 'unreachable'
    this.addTrace(`refreshed: ${isFresh ? 'yes' : fresh}`)
    if (fresh === 'refused') this.reportViolation('was logged out')
    if (!isFresh) return this.reconnect()
    this.hasRefreshedToken = true
    this.token = fresh
    this.connect(region)
  }

  private async joinRoom(line: SimulatedConnection): Promise<void> {
    const reply = await line.request('joinRoom', { roomId: this.options.roomId })
    if (line !== this.connection) return
    if (reply === 'none') this.changeNetwork()
    else if ('refusal' in reply) {
      this.addTrace(`joinRoom refused: ${reply.refusal.code}`)
      this.runLater(reply.refusal.waitMs ?? PAUSE_MS, line, () => void this.joinRoom(line))
    } else this.onRoomJoined()
  }

  private rejoinRoom(line: SimulatedConnection): void {
    this.isInRoom = false
    void this.joinRoom(line)
  }

  private onRoomJoined(): void {
    this.isInRoom = true
    this.flushOutbox()
  }

  /** One message after another, each until it is answered. */
  private flushOutbox(): void {
    const { connection } = this
    const [next] = this.outbox
    if (connection && next && this.isInRoom && !this.isSending) void this.sendEntry(connection, next)
  }

  private async sendEntry(line: SimulatedConnection, entry: { clientId: string; content: string }): Promise<void> {
    this.isSending = true
    const reply = await line.request('sendMessage', { roomId: this.options.roomId, ...entry })
    this.isSending = false
    if (reply === 'none') this.runLater(PAUSE_MS, line, () => this.flushOutbox())
    else if ('refusal' in reply) this.onRefusal(line, reply.refusal)
    else {
      this.outbox.shift()
      this.answered.set(entry.clientId, Number(reply.answer.id))
      if (!reply.answer.behind) this.checkAnswerVisible(line, entry.clientId)
    }
    this.flushOutbox()
  }

  /** Whoever has an answer reads what it tells of. */
  private checkAnswerVisible(line: SimulatedConnection, clientId: string): void {
    if (line !== this.connection || this.region === null) return
    if (!this.options.hasMessage(this.region, clientId))
      this.reportViolation('was answered before its region had it', clientId, 'answeredTooEarly')
    this.checkEventReceived(line, this.region, clientId)
  }

  private checkEventReceived(line: SimulatedConnection, region: string, clientId: string): void {
    this.runLater(EVENT_DELIVERY_MS, line, () => {
      if (!this.isInRoom || this.view.messagesByClientId.has(clientId)) return
      if (this.options.isCutFrom(region)) this.checkEventReceived(line, region, clientId)
      else this.reportViolation('was answered, and does not hear it', clientId)
    })
  }

  private onRefusal(line: SimulatedConnection, { code, waitMs = PAUSE_MS }: RefusalBody): void {
    this.addTrace(`refused: ${code}`)
    if (UNEXPECTED_REFUSALS.has(code)) this.reportViolation(`refused: ${code}`)
    if (code === 'NotInRoom' && line === this.connection) this.rejoinRoom(line)
    this.isSending = true
    const again = () => {
      this.isSending = false
      this.flushOutbox()
    }
    setTimeout(again, waitMs + this.options.random.integer(0, 250))
  }

  private runLater(ms: number, line: SimulatedConnection, run: () => void): void {
    setTimeout(() => line === this.connection && run(), ms)
  }

  private dropConnection(): void {
    const { connection } = this
    this.connection = null
    this.isInRoom = false
    connection?.close()
  }

  private reconnect(): void {
    const { random, homeRegion, regions } = this.options
    const region = random.isLikely(0.7) ? homeRegion : random.pick(regions)
    setTimeout(() => this.connect(region), random.integer(RECONNECT_MS.least, RECONNECT_MS.most))
  }

  private addTrace(what: string): void {
    this.trace.push(`${Date.now()} ${this.person.username}: ${what}`)
  }

  private reportViolation(what: string, clientId: string | null = null, kind: Violation['kind'] = 'other'): void {
    this.addTrace(what)
    this.violations.push({
      kind,
      description: `${this.person.username} in ${this.region}: ${what} ${clientId ?? ''}`,
      clientId,
    })
  }
}
