import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { MeydanClient, RunningMeydan } from '../subjects/meydan.ts'

const SIGN_INS_AT_ONCE = 32
/** Connections opened at once after a restart are spread like those of browsers: a delay and its jitter (docs/protocol.md). */
const RECONNECT_DELAY_MS = 5_000
const RECONNECT_JITTER_MS = 1_000
const WORDS = 'selam merhaba bugün hava güzel nasılsın film müzik maç çay kahve akşam geldim gidiyorum kim var'.split(
  ' ',
)
const CURSOR_INTERVAL_MS = 1_000
const REQUEST_TIMEOUT_MS = 30_000

/** Seconds between two actions of a kind by one person. */
const INTERVALS_S = {
  message: 90,
  join: 300,
  search: 1_200,
  page: 600,
  upload: 3_000,
  block: 3_000,
  reconnect: 600,
}
export type SoakAction = keyof typeof INTERVALS_S
export const SOAK_ACTIONS = Object.keys(INTERVALS_S) as SoakAction[]

/** Called after each action with the milliseconds until its answer; `failure` says what went wrong. */
export type SoakListener = (action: SoakAction, elapsedMs: number, failure: string | null) => void

interface Person {
  signedIn: SignedIn
  cookie: string
  roomId: number
  /** null while it reconnects. */
  client: MeydanClient | null
}

/** Guests in rooms of very different sizes, who act at random times. */
export class SoakPeople {
  /** WebSocket messages that all people together received. */
  framesReceived = 0
  readonly #site: RunningMeydan
  readonly #random: SeededRandom
  readonly #roomIds: readonly number[]
  readonly #listener: SoakListener
  readonly #people: Person[] = []
  readonly #pending = new Set<Promise<void>>()
  /** The last event that has been seen: connections resume from it. */
  #cursor = 0
  #sinceCursorMs = 0

  constructor(site: RunningMeydan, random: SeededRandom, roomIds: readonly number[], listener: SoakListener) {
    this.#site = site
    this.#random = random
    this.#roomIds = roomIds
    this.#listener = listener
  }

  get connectedCount(): number {
    return this.#people.filter(({ client }) => client !== null).length
  }

  /** Signs in and connects `count` more people. */
  async add(count: number): Promise<void> {
    for (let added = 0; added < count; added += SIGN_INS_AT_ONCE) {
      const batch = Math.min(SIGN_INS_AT_ONCE, count - added)
      await Promise.all(Array.from({ length: batch }, () => this.#addOne()))
    }
  }

  /** Starts the actions that are due in `elapsedMs`; does not wait for them. */
  act(elapsedMs: number): void {
    this.#sinceCursorMs += elapsedMs
    if (this.#sinceCursorMs >= CURSOR_INTERVAL_MS) {
      this.#sinceCursorMs = 0
      this.#cursor = this.#site.readLastSeq()
    }
    for (const action of SOAK_ACTIONS) {
      const expected = (this.#people.length * elapsedMs) / 1_000 / INTERVALS_S[action]
      const count = Math.floor(expected) + (this.#random.isLikely(expected % 1) ? 1 : 0)
      for (let n = 0; n < count; n++) this.#track(this.#perform(action, this.#random.pick(this.#people)))
    }
  }

  /** Reconnects everyone, as browsers do after the server has closed their connections. Resolves when all are back. */
  async reconnectAll(): Promise<void> {
    await Promise.all(
      this.#people.map(async (person) => {
        person.client = null
        await pause(RECONNECT_DELAY_MS + this.#random.float(0, RECONNECT_JITTER_MS))
        while (!(await this.#connect(person, this.#cursor).catch(() => false))) {
          await pause(RECONNECT_DELAY_MS + this.#random.float(0, RECONNECT_JITTER_MS))
        }
      }),
    )
  }

  /** Waits for the started actions, and disconnects. */
  async stop(): Promise<void> {
    await Promise.all(this.#pending)
    for (const { client } of this.#people) client?.close()
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work)
    void work.finally(() => this.#pending.delete(work))
  }

  async #addOne(): Promise<void> {
    const person = { ...(await this.#site.signInGuest()), roomId: this.#pickRoom(), client: null }
    await this.#connect(person)
    this.#people.push(person)
  }

  async #connect(person: Person, cursor?: number): Promise<true> {
    const resume = cursor === undefined ? undefined : { cursor, roomId: person.roomId }
    const client = await this.#site.connect(person.signedIn, resume, () => {
      this.framesReceived++
    })
    client.roomId = person.roomId
    if (!resume) await client.joinRoom(person.roomId)
    person.client = client
    return true
  }

  /** The room of rank n is chosen in proportion to 1/n. */
  #pickRoom(): number {
    const rank = Math.floor(this.#roomIds.length ** this.#random.next())
    return this.#roomIds[rank - 1] ?? this.#roomIds[0] ?? 0
  }

  async #perform(action: SoakAction, person: Person): Promise<void> {
    const { client } = person
    if (!client) return
    const startedAt = performance.now()
    const failure = await Promise.race([
      this.#actions[action](person, client).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
      pause(REQUEST_TIMEOUT_MS).then(() => 'no answer within 30 s'),
    ])
    // A connection that the restart has closed answers nothing; its person reconnects.
    if (person.client === client || action === 'reconnect')
      this.#listener(action, performance.now() - startedAt, failure)
  }

  readonly #actions: Record<SoakAction, (person: Person, client: MeydanClient) => Promise<unknown>> = {
    message: (_, client) => client.sendMessage(this.#writeText()),
    search: (_, client) => client.searchMessages(this.#random.pick(WORDS)),
    join: (person, client) => {
      person.roomId = this.#pickRoom()
      return client.joinRoom(person.roomId)
    },
    page: (person) => this.#fetch(person, `/room/${person.roomId}`),
    upload: async (person) => {
      const body = new FormData()
      body.set('roomId', String(person.roomId))
      body.set('media', new Blob([new Uint8Array(await this.#drawPicture())]))
      return this.#fetch(person, '/api/media/upload', { method: 'POST', body })
    },
    block: (person) => {
      const { username } = this.#random.pick(this.#people).signedIn.user
      const body = JSON.stringify({ blockedUsername: username })
      const headers = { 'content-type': 'application/json' }
      return this.#fetch(person, '/api/users/block', { method: 'POST', body, headers })
    },
    reconnect: async (person, client) => {
      client.close()
      person.client = null
      await this.#connect(person, this.#cursor)
    },
  }

  #writeText(): string {
    return Array.from({ length: this.#random.integer(1, 15) }, () => this.#random.pick(WORDS)).join(' ')
  }

  #drawPicture(): Promise<Buffer> {
    const channel = () => this.#random.integer(0, 255)
    const background = { r: channel(), g: channel(), b: channel() }
    return sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toBuffer()
  }

  async #fetch(person: Person, path: string, init: RequestInit = {}): Promise<void> {
    const { origin } = this.#site.server
    const credentials = {
      origin,
      cookie: person.cookie,
      authorization: `Bearer ${person.signedIn.token}`,
      'idempotency-key': randomUUID(),
    }
    const answer = await fetch(origin + path, { ...init, headers: { ...credentials, ...init.headers } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path.replace(/\d+/, 'N')} answered ${answer.status}`)
  }
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs).unref())
}
