import { randomUUID } from 'node:crypto'
import type { Gender, SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { CommandAnswer, CommandName } from '../../src/shared/protocol/catalogue.ts'
import type { Payload } from '../../src/shared/protocol/frame.ts'
import { expectAnswer, LiveConnection, registerMember, signIn, signInAsGuest } from './live-connection.ts'
import type { Site } from './site.ts'

export interface LiveUserOptions {
  /** A guest by default. Root admins have no chat limits. */
  role?: 'guest' | 'member' | 'rootAdmin'
  /** Room 1 by default; null enters none. */
  roomId?: number | null
  gender?: Gender
}

/** A user without a browser: a page costs half a second of CPU, this one a few milliseconds. */
export class LiveUser {
  readonly connection: LiveConnection
  readonly signedIn: SignedIn
  private readonly origin: string
  private readonly roomId: number | null

  private constructor(origin: string, signedIn: SignedIn, connection: LiveConnection, roomId: number | null) {
    this.origin = origin
    this.signedIn = signedIn
    this.connection = connection
    this.roomId = roomId
  }

  /** Signs in, connects, and enters the room. */
  static async enter(site: Site, username: string, options: LiveUserOptions = {}): Promise<LiveUser> {
    const { role = 'guest', roomId = 1, gender } = options
    const { origin } = site
    const signedIn =
      role === 'guest'
        ? await signInAsGuest(origin, username, gender)
        : role === 'member'
          ? await registerMember(origin, username)
          : await signIn(origin, username, await site.createRootAdmin(username))
    const { token, adminToken } = signedIn
    const { connection } = await LiveConnection.open(origin, token, { adminToken })
    if (roomId !== null) expectAnswer(await connection.request('joinRoom', { roomId }))
    return new LiveUser(origin, signedIn, connection, roomId)
  }

  /** Resolves with the answer; rejects with the code of a refusal. */
  async request<N extends CommandName>(name: N, input: Payload): Promise<CommandAnswer<N>> {
    return expectAnswer(await this.connection.request(name, input))
  }

  /** Sends a message to the entered room; resolves with its id. */
  async sendMessage(content: string, replyTo?: number): Promise<number> {
    const quoted = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
    const message = { roomId: this.roomId, content, clientId: randomUUID(), ...quoted }
    return (await this.request('sendMessage', message)).id ?? 0
  }

  /** Resolves when a message with this content has arrived in the room. */
  waitForMessage(content: string): Promise<void> {
    const isThere = () => this.connection.receivedEvents('message').some((message) => message.content === content)
    return this.connection.waitFor(isThere)
  }

  /**
   * Calls a route of the API. Rejects when it refuses.
   * @param token the admin token for routes of root admins
   */
  async fetch(path: string, body?: object, token = this.signedIn.token): Promise<unknown> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(this.origin + path, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }

  /** Closes the connection. */
  leave(): void {
    this.connection.socket.close()
  }
}
