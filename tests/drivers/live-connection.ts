import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
import type { Gender, SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { CommandAnswer, CommandName, EventName, EventPayload } from '../../src/shared/protocol/catalogue.ts'
import { decodeServerFrame, encode, Kind, type Payload, type ServerValue } from '../../src/shared/protocol/frame.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'

/** Enters as a guest over HTTP. Throws when the site does not let in. */
export function signInAsGuest(origin: string, username: string, gender: Gender = 'other'): Promise<SignedIn> {
  return postSignIn(origin, 'guest-login', { username, gender })
}

/** Signs in over HTTP. Throws when the site does not let in. */
export function signIn(origin: string, username: string, password: string): Promise<SignedIn> {
  return postSignIn(origin, 'login', { username, password })
}

async function postSignIn(origin: string, way: string, body: object): Promise<SignedIn> {
  const response = await fetch(`${origin}/api/users/${way}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${way} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as SignedIn // the contract of the route
}

export interface ResumeOptions {
  cursor?: number
  roomId?: number
}

/** A program's line to a running site: speaks the protocol over a real WebSocket, and keeps what it heard. */
export class LiveConnection {
  /** The events heard so far, kept ones and moments. */
  readonly events: { name: string; seq: number | null; payload: Payload }[] = []
  /** The highest cursor seen or given. */
  cursor = 0
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  readonly socket: WebSocket
  private lastId = 0
  private readonly pendingRequests = new Map<number, (outcome: Payload | Refusal) => void>()
  private readonly listeners = new Set<() => void>()

  private constructor(origin: string) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { origin, perMessageDeflate: false })
    this.closed = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.on('error', () => {}) // 'close' follows and says enough
    this.socket.on('message', (frame: Buffer) => {
      for (const value of decodeServerFrame(frame)) this.onValue(value)
    })
  }

  /** Connects and says hello. Rejects when the line closes before hello is answered, or when it is refused. */
  static async open(origin: string, token: string, options: ResumeOptions = {}) {
    const line = new LiveConnection(origin)
    await Promise.race([new Promise((resolve) => line.socket.once('open', resolve)), line.rejectOnClose()])
    // Each session has a browser of its own: what holds for one of them holds for no other.
    const browserId = token.slice(-32)
    const who = { protocol: PROTOCOL_MAJOR, token, browserId, tabId: randomUUID(), platform: 'web' }
    const hello = expectAnswer(await line.request('hello', { ...who, ...options }))
    line.cursor = Math.max(line.cursor, hello.cursor)
    return { line, hello }
  }

  /** Sends a request; the answer or the refusal, or an error when the line breaks before either. */
  request<N extends CommandName>(name: N, payload: Payload): Promise<CommandAnswer<N> | Refusal> {
    const id = ++this.lastId
    const outcome = new Promise<CommandAnswer<N> | Refusal>((resolve) => {
      this.pendingRequests.set(id, (given) => resolve(given as CommandAnswer<N> | Refusal)) // the server validates its answers' types
    })
    this.socket.send(encode([Kind.request, id, name, payload]))
    return Promise.race([outcome, this.rejectOnClose()])
  }

  /** The payloads of all events of one name heard so far. */
  receivedEvents<N extends EventName>(name: N): EventPayload<N>[] {
    return this.events.filter((event) => event.name === name).map((event) => event.payload as EventPayload<N>) // as above
  }

  /** Resolves when what was heard makes the condition true; the test's own time limit bounds the wait. */
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

  /** Whatever comes from now on is thrown away unread: thousands who listen in one process would do nothing else. */
  stopListening(): void {
    this.socket.removeAllListeners('message')
  }

  /** Breaks the line without a word, as a lost network does. */
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

/** The line closed while something was being waited for. */
export class ConnectionClosedError extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the line closed with ${code}`)
    this.code = code
  }
}

/** The answer; throws a refusal's code where there should have been none. */
export function expectAnswer<T extends object>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw new Error(`refused: ${outcome.body.code}`)
  return outcome
}
