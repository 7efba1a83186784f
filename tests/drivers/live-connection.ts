import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
import type { Gender, SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { CommandAnswer, CommandName, EventName, EventPayload } from '../../src/shared/protocol/catalogue.ts'
import { decodeServerFrame, encode, Kind, type Payload, type ServerValue } from '../../src/shared/protocol/frame.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'

/** Signs in as a guest over HTTP. Throws when the site refuses. */
export function signInAsGuest(origin: string, username: string, gender: Gender = 'other'): Promise<SignedIn> {
  return postSignIn(origin, 'guest-login', { username, gender })
}

/** Signs in over HTTP. Throws when the site refuses. */
export function signIn(origin: string, username: string, password: string): Promise<SignedIn> {
  return postSignIn(origin, 'login', { username, password })
}

/** Password of the members that tests register. */
export const MEMBER_PASSWORD = 'uzun bir parola'

/** Registers a member over HTTP. Throws when the site refuses. */
export function registerMember(origin: string, username: string): Promise<SignedIn> {
  return postSignIn(origin, 'register', { username, password: MEMBER_PASSWORD, age: 27, termsAccepted: true })
}

async function postSignIn(origin: string, route: string, body: object): Promise<SignedIn> {
  const response = await fetch(`${origin}/api/users/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as SignedIn // the contract of the route
}

export interface ConnectionOptions {
  cursor?: number
  roomId?: number
  /** A root admin's, to be shown to the site. */
  adminToken?: string | undefined
  /** The client's own address, in 127.0.0.0/8. */
  localAddress?: string
}

/** A connection to a running site: speaks the protocol over a WebSocket and keeps received events. */
export class LiveConnection {
  /** Events received so far; `seq` is null for ephemeral events. */
  readonly events: { name: string; seq: number | null; payload: Payload }[] = []
  /** The highest cursor seen or given. */
  cursor = 0
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  readonly socket: WebSocket
  private lastId = 0
  private readonly pendingRequests = new Map<number, (outcome: Payload | Refusal) => void>()
  private readonly listeners = new Set<() => void>()

  private constructor(origin: string, localAddress?: string) {
    const options = { origin, perMessageDeflate: false, localAddress }
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, options)
    this.closed = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.on('error', () => {}) // 'close' follows and says enough
    this.socket.on('message', (frame: Buffer) => {
      for (const value of decodeServerFrame(frame)) this.onValue(value)
    })
  }

  /** Connects and says hello. Rejects when the connection closes before the answer or hello is refused. */
  static async open(origin: string, token: string, { localAddress, adminToken, ...resume }: ConnectionOptions = {}) {
    const connection = new LiveConnection(origin, localAddress)
    await Promise.race([new Promise((resolve) => connection.socket.once('open', resolve)), connection.rejectOnClose()])
    // Each session has a browser of its own, so that bans by browser do not affect other sessions.
    const browserId = token.slice(-32)
    const who = { protocol: PROTOCOL_MAJOR, token, browserId, tabId: randomUUID(), platform: 'web' }
    const hello = expectAnswer(await connection.request('hello', { ...who, ...resume }))
    if (adminToken !== undefined) expectAnswer(await connection.request('adminConnected', { adminToken }))
    connection.cursor = Math.max(connection.cursor, hello.cursor)
    return { connection, hello }
  }

  /** Sends a request; the answer or the refusal, or an error when the connection closes earlier. */
  request<N extends CommandName>(name: N, payload: Payload): Promise<CommandAnswer<N> | Refusal> {
    const id = ++this.lastId
    const outcome = new Promise<CommandAnswer<N> | Refusal>((resolve) => {
      this.pendingRequests.set(id, (given) => resolve(given as CommandAnswer<N> | Refusal)) // the server validates its answers' types
    })
    this.socket.send(encode([Kind.request, id, name, payload]))
    return Promise.race([outcome, this.rejectOnClose()])
  }

  /** The payloads of all events of one name received so far. */
  receivedEvents<N extends EventName>(name: N): EventPayload<N>[] {
    return this.events.filter((event) => event.name === name).map((event) => event.payload as EventPayload<N>) // as above
  }

  /** Resolves when received events make the condition true; the test's own time limit bounds the wait. */
  waitFor(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return
        this.listeners.delete(check)
        resolve()
      }
      this.listeners.add(check)
      check()
    })
  }

  /** Ignores further frames, because decoding them for thousands of connections would use the whole CPU. */
  stopListening(): void {
    this.socket.removeAllListeners('message')
  }

  /** Closes without a close frame, as a lost network does. */
  terminate(): void {
    this.socket.terminate()
  }

  private onValue(value: ServerValue): void {
    if (value[0] === Kind.answer) this.settleRequest(value[1], value[2])
    else if (value[0] === Kind.refusal) this.settleRequest(value[1], new Refusal(value[2]))
    else if (value[0] === Kind.event) {
      this.cursor = Math.max(this.cursor, value[1])
      this.events.push({ name: value[2], seq: value[1], payload: value[3] })
    } else this.events.push({ name: value[1], seq: null, payload: value[2] })
    for (const check of this.listeners) check()
  }

  private settleRequest(id: number, outcome: Payload | Refusal): void {
    this.pendingRequests.get(id)?.(outcome)
    this.pendingRequests.delete(id)
  }

  private async rejectOnClose(): Promise<never> {
    throw new ConnectionClosedError(await this.closed)
  }
}

/** The connection closed during a wait. */
export class ConnectionClosedError extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the connection closed with ${code}`)
    this.code = code
  }
}

/** Returns the answer; throws with the code of a refusal. */
export function expectAnswer<T extends object>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw new Error(`refused: ${outcome.body.code}`)
  return outcome
}
