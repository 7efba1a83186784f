import type { CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import { CloseCode, type Payload } from '../../../shared/protocol/frame.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { clientMessages, Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import {
  CONNECT_TIMEOUT_MS,
  MAX_RECONNECT_ATTEMPTS,
  MAX_RECONNECT_JITTER_MS,
  RECONNECT_DELAY_MS,
} from '../../../shared/room-chat/limits.ts'
import type { Cancel, Environment } from '../platform/environment.ts'
import type { LiveSession } from '../session/live-session.ts'
import { signal } from '../signals/signal.ts'
import { EventHandlers } from './event-handlers.ts'
import { type Outcome, Socket } from './socket.ts'

type ConnectionStatus =
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'unreachable'
  | 'duplicate'
  | 'ended'
  | 'outdated'
  | 'maintenance'

export interface ConnectionState {
  status: ConnectionStatus
  /** Which attempt to reconnect is waited for or under way, from 1; 0 when none is. */
  attempt: number
  /** In Turkish, to be shown as it is. */
  message?: string
}

/** Why a working page should be reloaded: the server has restarted, or a part of the page could not be loaded. */
export type ReloadReason = 'restarted' | 'incomplete'

type HelloAnswer = Exclude<Outcome<'hello'>, Refusal | string>

/** The tab's connection to the server: says hello, resumes, reconnects, and stops where reconnecting would not help. */
export class LiveClient extends EventHandlers {
  readonly connection = signal<ConnectionState>({ status: 'connecting', attempt: 0 })
  readonly reloadReason = signal<ReloadReason | null>(null)
  /** Whether the server is connected and does not answer. */
  readonly isUnanswered = signal(false)
  /** The room that this connection has joined; a resume stays in it. */
  roomId: RoomId | null = null

  private readonly session: LiveSession
  private readonly connectedListeners: ((resumed: boolean) => void)[] = []
  private socket: Socket | null = null
  /** hello was answered on the current socket. */
  private isHelloAnswered = false
  /**
   * The resume point: everything of our streams up to here has reached us. A cursor that an answer brings does not
   * raise it, because events below it may still be on their way; a snapshot stores its own cursor.
   */
  private cursor = 0
  private isStarted = false
  private clockOffset = 0
  private cancelReconnect: Cancel | null = null
  private tokenRefresh: 'none' | 'running' | 'done' = 'none'
  private badFrameCount = 0
  /** The last token that this connection has sent. */
  private shownToken: string | null = null
  /** The server announced its shutdown, and hello was not answered since. */
  private isRestarting = false

  constructor(environment: Environment, session: LiveSession) {
    super(environment)
    this.session = session
    session.onEnd((message) => {
      this.cancelReconnect?.()
      this.setConnection('ended', message)
      this.dropSocket()
    })
    this.on('cursor', ({ cursor }) => {
      this.cursor = Math.max(this.cursor, cursor)
    })
    this.on('resync', () => {
      this.roomId = null
      this.notifyConnected(false)
    })
    this.on('serverShutdown', ({ message }) => {
      this.isRestarting = true
      this.setConnection(this.connection.peek().status, message)
    })
    session.onToken(() => void this.showToken())
    this.on('sessionReplaced', ({ isRenewable }) => this.onSessionReplaced(isRenewable))
    this.on('forceDisconnect', ({ message }) => session.end(message))
    this.on('systemBannedNotification', ({ message }) => session.end(message))
    this.on('userProfileUpdated', ({ user }) => session.applyUserUpdate(user))
    this.on('serverMaintenance', ({ isOn, message }) => this.onMaintenance(isOn, message))
    this.on('duplicateConnection', () => this.setConnection('duplicate'))
    this.on('duplicateConnectionResolved', () => {
      this.setConnection('connected')
      this.notifyConnected(true)
    })
  }

  /** Connects once, from the cursor and the server time of the shown page. */
  start(cursor: number, serverTime: number): void {
    if (this.isStarted) return
    this.isStarted = true
    this.cursor = cursor
    this.setClock(serverTime)
    this.environment.onWake(() => this.checkConnection())
    // The browser would keep a connection open that is dead.
    this.environment.onOffline(() => this.isHelloAnswered && this.socket?.close())
    this.connect()
  }

  /** Sends a request over the present connection; resolves to `disconnected` without one. */
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
    return this.socket && this.isHelloAnswered ? this.socket.request(name, input) : Promise.resolve('disconnected')
  }

  /** Sends a signal, which has no answer; it is dropped while disconnected. */
  sendSignal<N extends CommandName>(name: N, input: CommandInput<N>): void {
    if (this.isHelloAnswered) this.socket?.sendSignal(name, input)
  }

  /** Calls `listener` on each connection; `resumed` is false when state must be fetched again. */
  onConnected(listener: (resumed: boolean) => void): void {
    this.connectedListeners.push(listener)
  }

  isConnected(): boolean {
    return this.isHelloAnswered
  }

  /** Whether this user is signed in here. */
  isSelf(userId: UserId): boolean {
    return this.session.isSelf(userId)
  }

  /** Epoch milliseconds by the server's clock. */
  serverNow(): number {
    return this.environment.now() + this.clockOffset
  }

  /** Tries at once, with all attempts ahead. */
  retryNow(): void {
    const { status } = this.connection.peek()
    const waits = status === 'unreachable' || status === 'reconnecting'
    if (!waits || this.socket || this.tokenRefresh === 'running') return
    this.badFrameCount = 0
    this.setConnection('reconnecting', undefined, 1)
    this.connect()
  }

  private checkConnection(): void {
    this.socket?.closeIfSilent()
    if (this.isHelloAnswered) this.socket?.probe()
    this.retryNow()
  }

  private connect(): void {
    this.cancelReconnect?.()
    const socket = new Socket(this.environment, {
      onOpen: () => void this.sendHello(socket),
      onEvent: (seq, name, payload) => this.onEvent(seq, name, payload),
      onUnanswered: (isUnanswered) => {
        this.isUnanswered.value = isUnanswered
      },
      onClose: (code) => {
        if (socket === this.socket) this.onSocketClosed(code)
      },
    })
    this.socket = socket
    this.environment.setTimer(CONNECT_TIMEOUT_MS, () => this.isHelloAnswered || socket.close())
  }

  private async sendHello(socket: Socket): Promise<void> {
    const browserId = this.session.browserId()
    this.shownToken = this.session.token()
    const answer = await socket.request('hello', {
      protocol: PROTOCOL_MAJOR,
      token: this.shownToken ?? '',
      ...(browserId !== null && { browserId }),
      tabId: this.session.tabId(),
      platform: this.environment.isMobile() ? 'mobile' : 'web',
      cursor: this.cursor,
      ...(this.roomId !== null && { roomId: this.roomId }),
    })
    if (socket !== this.socket || typeof answer === 'string') return
    if (answer instanceof Refusal) this.onHelloRefused(answer.body)
    else this.onHelloAnswered(answer)
  }

  /** Without a refresh the answer to a sign-up or a changed password stores the new token, in this or another tab. */
  private onSessionReplaced(isRenewable: boolean): void {
    if (isRenewable) void this.session.refresh()
  }

  /** Continues with a new token on the present connection. A refused token closes it, and the client reconnects. */
  private async showToken(): Promise<void> {
    const token = this.session.token()
    if (!this.isHelloAnswered || token === null || token === this.shownToken) return
    this.shownToken = token
    await this.socket?.request('userConnected', { token })
  }

  private onHelloAnswered({ user, cursor, resumed, serverTime, roomId }: HelloAnswer): void {
    this.isHelloAnswered = true
    void this.showToken()
    // A client that starts over may have missed profile updates, so everything that shows this user gets the current one.
    if (resumed) this.session.applyUserUpdate(user)
    else this.deliver('userProfileUpdated', { user }, null)
    this.tokenRefresh = 'none'
    if (this.isRestarting) this.reloadReason.value = 'restarted'
    this.isRestarting = false
    this.setClock(serverTime)
    // What was missed follows the answer, so only a client that starts over begins at the answer's cursor.
    if (!resumed) this.cursor = cursor
    this.roomId = roomId ?? null
    this.setConnection('connected')
    this.notifyConnected(resumed)
  }

  /** Root admins continue; other users wait on the present page until it ends. */
  private onMaintenance(isOn: boolean, message: string): void {
    if (this.session.isRootAdmin()) return
    if (isOn) this.setConnection('maintenance', message)
    else if (this.connection.peek().status === 'maintenance') {
      this.setConnection('connected')
      this.notifyConnected(true)
    }
  }

  private notifyConnected(resumed: boolean): void {
    if (!resumed) this.replayBuffer.markIncomplete()
    for (const listener of this.connectedListeners) listener(resumed)
  }

  private onHelloRefused({ code, message }: RefusalBody): void {
    this.dropSocket()
    if (code === 'ProtocolOutdated') this.setConnection('outdated', message)
    else if (code === 'Banned') this.session.end(message)
    else if (code === 'BrowserIdMissing')
      void this.session.logOut(message).then((isLoggedOut) => isLoggedOut || this.session.end(message))
    else if (code === 'NotSignedIn' || code === 'SessionEnded') this.refreshTokenOrEnd(message)
    else this.retryLater()
  }

  private onEvent(seq: number | null, name: string, payload: Payload): void {
    if (seq !== null) {
      if (seq <= this.cursor) return
      this.cursor = seq
    }
    this.deliver(name, payload, seq)
  }

  /** Source of what each code asks for: docs/protocol.md, "Close codes". */
  private onSocketClosed(code: number): void {
    const { status, attempt, message } = this.connection.peek()
    this.setConnection('reconnecting', status === 'duplicate' ? undefined : message, attempt)
    this.dropSocket()
    if (code === CloseCode.notSignedIn) this.refreshTokenOrEnd()
    else if (code === CloseCode.banned) this.session.end(clientMessages.Banned)
    else if (code === CloseCode.replaced) this.session.returnHome()
    else if (code === CloseCode.badFrame) this.onBadFrame()
    else this.retryLater()
  }

  /** The network may corrupt one frame; a second bad frame is our bug, which reconnecting would not mend. */
  private onBadFrame(): void {
    this.environment.reportError('the server could not read our frame')
    this.badFrameCount++
    if (this.badFrameCount > 1) this.setConnection('unreachable')
    else this.retryLater()
  }

  private retryLater(): void {
    const { attempt, message } = this.connection.peek()
    if (attempt === MAX_RECONNECT_ATTEMPTS) {
      this.setConnection('unreachable', message)
      return
    }
    this.setConnection('reconnecting', message, attempt + 1)
    const wait = RECONNECT_DELAY_MS + this.environment.random() * MAX_RECONNECT_JITTER_MS
    this.cancelReconnect = this.environment.setTimer(wait, () => this.connect())
  }

  /** A rejected token is refreshed once; when the fresh one is rejected too, the session ends. */
  private async refreshTokenOrEnd(message: string = clientMessages.SessionEnded): Promise<void> {
    const outcome = this.tokenRefresh === 'done' ? 'refused' : await this.refreshToken()
    if (this.connection.peek().status === 'ended') return
    if (outcome === 'refreshed') this.connect()
    else if (outcome === 'refused') this.session.end(message)
    else this.retryLater()
  }

  private async refreshToken(): Promise<'refreshed' | 'refused' | 'unreachable'> {
    this.tokenRefresh = 'running'
    const outcome = await this.session.refresh()
    this.tokenRefresh = outcome === 'refreshed' ? 'done' : 'none'
    return outcome
  }

  /** Closes the current socket and ignores its later events. */
  private dropSocket(): void {
    const { socket } = this
    this.socket = null
    this.isHelloAnswered = false
    socket?.close()
  }

  private setClock(serverTime: number): void {
    this.clockOffset = serverTime - this.environment.now()
  }

  private setConnection(status: ConnectionStatus, message?: string, attempt = 0): void {
    this.connection.value = { status, attempt, ...(message !== undefined && { message }) }
  }
}
