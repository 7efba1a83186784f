import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'

export interface AddressedRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface AddressedAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/**
 * An HTTP client with an address of its own: all of 127.0.0.0/8 is this machine, so each address in it is one more client of
 * a site on 127.0.0.1. It reuses its connections.
 */
export class AddressedClient {
  readonly address: string
  readonly #origin: string
  readonly #agent: Agent

  constructor(origin: string, address: string) {
    this.#origin = origin
    this.address = address
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32 })
  }

  /** Resolves with the whole answer. Rejects when the connection breaks. */
  async request(path: string, { method = 'GET', headers = {}, body }: AddressedRequest = {}): Promise<AddressedAnswer> {
    const sent = request(`${this.#origin}${path}`, {
      method,
      headers: { Origin: this.#origin, ...headers },
      agent: this.#agent,
      localAddress: this.address,
    })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await answer.setEncoding('utf8').reduce((whole: string, part: string) => whole + part, '')
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: text }
  }

  postJson(path: string, body: object, headers: Record<string, string> = {}): Promise<AddressedAnswer> {
    return this.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  /** Signs in as a guest. Throws when the site refuses. */
  async signInAsGuest(username: string): Promise<SignedIn & { cookie: string }> {
    const answer = await this.postJson('/api/users/guest-login', { username, gender: 'other' })
    if (answer.status !== 200) throw new Error(`guest-login answered ${answer.status}: ${answer.body}`)
    const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    return { ...(JSON.parse(answer.body) as SignedIn), cookie } // the contract of the route
  }

  /** Ends its open connections. */
  close(): void {
    this.#agent.destroy()
  }
}
