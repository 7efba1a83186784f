import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import type { TestUser } from '../fixtures/test-region.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedClientView } from './simulated-client-view.ts'
import { SimulatedConnection } from './simulated-connection.ts'
import type { FrameSocket } from './socket-adapters.ts'

/** Range of the reconnect delay; shorter than a browser's, for more reconnects per run. */
const RECONNECT_MS = { min: 1_000, max: 5_000 }
const PAUSE_MS = 1_000
/** The event of an own message arrives at most this long after its answer. */
const EVENT_DELIVERY_MS = 1_000
/** A client with this many unanswered messages sends no more. */
const MAX_OUTBOX_LENGTH = 5
/** Refusals that no fault explains. */
const UNEXPECTED_REFUSALS = new Set(['Failed', 'InvalidInput', 'ClientIdReused', 'SessionEnded'])

/** A violated invariant; allowed for a message that was lost with a primary. */
export interface Violation {
  /** `answeredTooEarly`: the answer arrived before the client's region had the message. */
  kind: 'answeredTooEarly' | 'other'
  description: string
  clientId: string | null
}

export interface SimulatedClientOptions {
  person: TestUser
  roomId: number
  homeRegion: string
  random: SeededRandom
  /** Regions that the client may reconnect to instead of its home region. */
  regions: string[]
  connect: (region: string) => FrameSocket
  /** Gets a new token from a region, as the browser does over HTTP. */
  refreshToken: (region: string, token: string) => Promise<string | 'refused' | 'unreachable'>
  /** Whether the region's database has this message now. */
  hasMessage: (region: string, clientId: string) => boolean
  /** Whether the network between this browser and the region is cut. */
  isCutFrom: (region: string) => boolean
}

/** One tab of one user: joins a room, sends messages, and sends unanswered ones again after a reconnect. */
export class SimulatedClient {
  readonly person: TestUser
  /** Ids of answered messages by clientId, in the order of the answers. */
  readonly answered = new Map<string, number>()
  readonly view = new SimulatedClientView((description, clientId) => this.reportViolation(description, clientId))
  readonly violations: Violation[] = []
  /** Log of this client, printed for a failed seed. */
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

  /** The client is in the room and has no unanswered messages. */
  get isIdle(): boolean {
    return this.isInRoom && this.connection !== null && this.outbox.length === 0
  }

  /** The state for error messages. */
  describeState(): string {
    const { connection, region, isInRoom, isSending, outbox } = this
    const unanswered = outbox.map(({ clientId }) => clientId)
    return `${this.person.username}: ${JSON.stringify({ region, isConnected: connection !== null, isInRoom, isSending, unanswered })}`
  }

  start(): void {
    this.connect(this.options.homeRegion)
  }

  end(): void {
    this.hasEnded = true
    this.dropConnection()
  }

  /** Queues a message, unless the outbox is full. */
  sendMessage(): void {
    if (this.outbox.length >= MAX_OUTBOX_LENGTH) return
    const content = `${this.person.username} ${++this.messageCount}`
    const number = String(this.messageCount).padStart(4, '0')
    const clientId = `00000000-0000-4000-8000-${String(this.person.userId).padStart(8, '0')}${number}`
    this.outbox.push({ clientId, content })
    this.flushOutbox()
  }

  /** Drops the connection and reconnects, possibly to another region. */
  changeNetwork(): void {
    this.dropConnection()
    this.reconnect()
  }

  private connect(region: string): void {
    if (this.hasEnded || this.connection) return
    this.view.onConnected()
    const connection: SimulatedConnection = new SimulatedConnection(this.options.connect(region), {
      onAnswer: (name, answer) => this.view.onAnswer(name, answer),
      onEvent: (seq, name, payload) => this.view.onEvent(seq, name, payload),
      onEphemeral: (name, payload) => {
        this.view.onEphemeral(name, payload)
        if (name === 'resync') this.rejoinRoom(connection)
      },
      onEnd: (code) => this.onConnectionEnded(code),
    })
    this.connection = connection
    this.region = region
    void this.sendHello(connection)
  }

  private onConnectionEnded(code: number | 'silent'): void {
    this.addTrace(`closed ${code}`)
    if (code === CloseCode.replaced) this.reportViolation('was replaced by another connection')
    this.dropConnection()
    if (code === CloseCode.notSignedIn) void this.refreshSession()
    else this.reconnect()
  }

  private async sendHello(connection: SimulatedConnection): Promise<void> {
    const { view, token } = this
    const { username } = this.person
    const resume = view.cursor > 0 ? { cursor: view.cursor, roomId: this.options.roomId } : {}
    const identity = { token, browserId: `browser of ${username}`, tabId: `tab of ${username}`, platform: 'web' }
    const reply = await connection.request('hello', { protocol: PROTOCOL_MAJOR, ...identity, ...resume })
    if (connection !== this.connection) return
    if (reply === 'none') return this.changeNetwork()
    if ('refusal' in reply) {
      this.addTrace(`hello refused: ${reply.refusal.code}`)
      return reply.refusal.code === 'SessionEnded' ? this.refreshSession() : this.changeNetwork()
    }
    this.hasRefreshedToken = false
    const { resumed, cursor, roomId } = reply.answer
    this.addTrace(`hello in ${this.region}: ${JSON.stringify({ resumed, cursor, roomId })}`)
    if (resumed && roomId !== undefined) this.onRoomJoined()
    else await this.joinRoom(connection)
  }

  /** Refreshes a refused token once; a second refusal means that the user was logged out. */
  private async refreshSession(): Promise<void> {
    this.dropConnection()
    const { region, token } = this
    if (region === null) return
    const newToken = this.hasRefreshedToken ? 'refused' : await this.options.refreshToken(region, token)
    const isRefreshed = newToken !== 'refused' && newToken !== 'unreachable'
    this.addTrace(`refreshed: ${isRefreshed ? 'yes' : newToken}`)
    if (newToken === 'refused') this.reportViolation('was logged out')
    if (!isRefreshed) return this.reconnect()
    this.hasRefreshedToken = true
    this.token = newToken
    this.connect(region)
  }

  private async joinRoom(connection: SimulatedConnection): Promise<void> {
    const reply = await connection.request('joinRoom', { roomId: this.options.roomId })
    if (connection !== this.connection) return
    if (reply === 'none') this.changeNetwork()
    else if ('refusal' in reply) {
      this.addTrace(`joinRoom refused: ${reply.refusal.code}`)
      this.runLater(reply.refusal.waitMs ?? PAUSE_MS, connection, () => void this.joinRoom(connection))
    } else this.onRoomJoined()
  }

  private rejoinRoom(connection: SimulatedConnection): void {
    this.isInRoom = false
    void this.joinRoom(connection)
  }

  private onRoomJoined(): void {
    this.isInRoom = true
    this.flushOutbox()
  }

  /** Sends one message at a time, each until it is answered. */
  private flushOutbox(): void {
    const { connection } = this
    const [next] = this.outbox
    if (connection && next && this.isInRoom && !this.isSending) void this.sendEntry(connection, next)
  }

  private async sendEntry(
    connection: SimulatedConnection,
    entry: { clientId: string; content: string },
  ): Promise<void> {
    this.isSending = true
    const reply = await connection.request('sendMessage', { roomId: this.options.roomId, ...entry })
    this.isSending = false
    if (reply === 'none') this.runLater(PAUSE_MS, connection, () => this.flushOutbox())
    else if ('refusal' in reply) this.onRefusal(connection, reply.refusal)
    else {
      this.outbox.shift()
      this.answered.set(entry.clientId, Number(reply.answer.id))
      if (!reply.answer.behind) this.checkAnswerVisible(connection, entry.clientId)
    }
    this.flushOutbox()
  }

  /** After an answer the client's region must have the message and deliver its event. */
  private checkAnswerVisible(connection: SimulatedConnection, clientId: string): void {
    if (connection !== this.connection || this.region === null) return
    if (!this.options.hasMessage(this.region, clientId))
      this.reportViolation('was answered before its region had it', clientId, 'answeredTooEarly')
    this.checkEventReceived(connection, this.region, clientId)
  }

  private checkEventReceived(connection: SimulatedConnection, region: string, clientId: string): void {
    this.runLater(EVENT_DELIVERY_MS, connection, () => {
      if (!this.isInRoom || this.view.messagesByClientId.has(clientId)) return
      if (this.options.isCutFrom(region)) this.checkEventReceived(connection, region, clientId)
      else this.reportViolation('was answered but did not receive the event', clientId)
    })
  }

  private onRefusal(connection: SimulatedConnection, { code, waitMs = PAUSE_MS }: RefusalBody): void {
    this.addTrace(`refused: ${code}`)
    if (UNEXPECTED_REFUSALS.has(code)) this.reportViolation(`refused: ${code}`)
    if (code === 'NotInRoom' && connection === this.connection) this.rejoinRoom(connection)
    this.isSending = true
    const retry = () => {
      this.isSending = false
      this.flushOutbox()
    }
    setTimeout(retry, waitMs + this.options.random.integer(0, 250))
  }

  private runLater(ms: number, connection: SimulatedConnection, run: () => void): void {
    setTimeout(() => connection === this.connection && run(), ms)
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
    setTimeout(() => this.connect(region), random.integer(RECONNECT_MS.min, RECONNECT_MS.max))
  }

  private addTrace(text: string): void {
    this.trace.push(`${Date.now()} ${this.person.username}: ${text}`)
  }

  private reportViolation(text: string, clientId: string | null = null, kind: Violation['kind'] = 'other'): void {
    this.addTrace(text)
    this.violations.push({
      kind,
      description: `${this.person.username} in ${this.region}: ${text} ${clientId ?? ''}`,
      clientId,
    })
  }
}
