import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { decodeServerFrame, Kind } from '../../src/shared/protocol/frame.ts'
import { type MeydanClient, meydan, type RunningMeydan } from '../subjects/meydan.ts'
import { connectAll } from '../subjects/subject.ts'
import { numberedText } from './deliveries.ts'
import { FIRST_FILLED_ROOM_ID, fillDatabase } from './fill-database.ts'

/** How much a site holds; `people` are connected to the room that is measured. */
export interface SiteSize {
  messages: number
  rooms: number
  people: number
}

/** CPU milliseconds of the server for one operation. */
export interface OperationCosts {
  send: number
  page: number
  history: number
  replay: number
  join: number
}

const ROOM_ID = FIRST_FILLED_ROOM_ID
const OTHER_ROOM_ID = FIRST_FILLED_ROOM_ID + 1
const BYTES = 120
/** Users of the room who send and read; more of them make no difference. */
const SENDERS = 8
const MESSAGES_PER_SENDER = 60
/** Deliveries to this many people together bound the length of a round. */
const MAX_DELIVERIES = 300_000
const PAGES = 30
const HISTORY_PAGES_PER_SENDER = 40
const MISSED_MESSAGES = 50
const REPLAYS = 24
const JOINS_PER_USER = 12
const REPLAY_TIMEOUT_MS = 30_000
/** Deliveries are sent within this time. */
const SETTLE_MS = 300
/** Coalesced presence events are sent within this time. */
const PRESENCE_SETTLE_MS = 1_000

/** A site of a given size with a room of connected guests. */
export class FilledSite {
  readonly #site: RunningMeydan
  readonly #size: SiteSize
  readonly #clients: MeydanClient[]
  readonly #senders: MeydanClient[]
  readonly #joiners: MeydanClient[]
  readonly #returning: SignedIn[]
  readonly #cookie: string
  #sent = 0

  private constructor(
    site: RunningMeydan,
    size: SiteSize,
    guests: { present: MeydanClient[]; joiners: MeydanClient[]; returning: SignedIn[]; cookie: string },
  ) {
    this.#site = site
    this.#size = size
    this.#clients = guests.present
    this.#senders = guests.present.slice(0, SENDERS)
    this.#joiners = guests.joiners
    this.#returning = guests.returning
    this.#cookie = guests.cookie
  }

  static async start(size: SiteSize): Promise<FilledSite> {
    const site = await meydan.start((file) => fillDatabase(file, size))
    try {
      // prepareClients of Meydan returns Meydan clients.
      const present = (await connectAll(await site.prepareClients(size.people))) as MeydanClient[]
      const joiners = (await connectAll(await site.prepareClients(SENDERS))) as MeydanClient[]
      site.addRoomAdmins(
        ROOM_ID,
        present.slice(0, SENDERS).map(({ userId }) => userId),
      )
      await inTurns(present, 50, (client) => client.joinRoom(ROOM_ID))
      const returning: SignedIn[] = []
      while (returning.length < REPLAYS) returning.push((await site.signInGuest()).signedIn)
      const { cookie } = await site.signInGuest()
      await sleep(PRESENCE_SETTLE_MS)
      return new FilledSite(site, size, { present, joiners, returning, cookie })
    } catch (error) {
      await site.stop()
      throw error
    }
  }

  /** Runs every operation and measures each alone. */
  async measureCosts(): Promise<OperationCosts> {
    return {
      send: await this.#measure(() => this.#sendMessages()),
      page: await this.#measurePage(),
      history: await this.#measure(() => this.#readHistory()),
      replay: await this.#measureReplay(),
      join: await this.#measure(() => this.#joinAndLeave(), PRESENCE_SETTLE_MS),
    }
  }

  async stop(): Promise<void> {
    for (const client of [...this.#clients, ...this.#joiners]) client.close()
    await this.#site.stop()
  }

  /** `run` returns the number of its operations. */
  async #measure(run: () => Promise<number>, settleMs = SETTLE_MS): Promise<number> {
    const before = await this.#site.server.cpuSeconds()
    const operations = await run()
    await sleep(settleMs)
    return (((await this.#site.server.cpuSeconds()) - before) * 1_000) / operations
  }

  /** Each sender sends its next message when the last one is answered. */
  async #sendMessages(): Promise<number> {
    const perSender = Math.min(MESSAGES_PER_SENDER, Math.ceil(MAX_DELIVERIES / this.#size.people / SENDERS))
    await Promise.all(
      this.#senders.map(async (sender) => {
        for (let sent = 0; sent < perSender; sent++) await sender.sendMessage(numberedText(this.#sent++, BYTES))
      }),
    )
    return perSender * SENDERS
  }

  /** A message before each page changes its thread; the message's own CPU is measured and subtracted. */
  async #measurePage(): Promise<number> {
    const withMessage = await this.#measure(() =>
      this.#repeat(PAGES, () => this.#sendOne().then(() => this.#openPage())),
    )
    const message = await this.#measure(() => this.#repeat(PAGES, () => this.#sendOne()))
    return withMessage - message
  }

  async #repeat(times: number, run: () => Promise<void>): Promise<number> {
    for (let done = 0; done < times; done++) await run()
    return times
  }

  async #sendOne(): Promise<void> {
    await this.#senders[0]?.sendMessage(numberedText(this.#sent++, BYTES))
  }

  async #openPage(): Promise<void> {
    const headers = { cookie: this.#cookie, 'accept-encoding': 'identity' }
    const response = await fetch(`${this.#site.server.origin}/room/${ROOM_ID}`, { headers, redirect: 'error' })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`the room's page answered ${response.status}`)
  }

  /** Pages of messages from places all over the history. */
  async #readHistory(): Promise<number> {
    await Promise.all(
      this.#senders.map(async (sender, index) => {
        for (let page = 1; page <= HISTORY_PAGES_PER_SENDER; page++) {
          const place = ((page * SENDERS + index) * 0.618_033_988) % 1
          await sender.getMessages(Math.ceil(this.#size.messages * (0.2 + 0.8 * place)))
        }
      }),
    )
    return HISTORY_PAGES_PER_SENDER * SENDERS
  }

  async #measureReplay(): Promise<number> {
    for (let sent = 0; sent < MISSED_MESSAGES; sent++) await this.#sendOne()
    const cursor = this.#site.readLastSeq() - MISSED_MESSAGES
    return this.#measure(async () => {
      await inTurns(this.#returning, SENDERS, (guest) => this.#replay(guest, cursor))
      return this.#returning.length
    }, PRESENCE_SETTLE_MS)
  }

  /** Connects with a cursor and waits for all missed messages. */
  async #replay(guest: SignedIn, cursor: number): Promise<void> {
    let missing = MISSED_MESSAGES
    const replayed = Promise.withResolvers<void>()
    const client = await this.#site.connect(guest, { cursor, roomId: ROOM_ID }, (payload) => {
      missing -= decodeServerFrame(payload).filter(([kind, , name]) => kind === Kind.event && name === 'message').length
      if (missing <= 0) replayed.resolve()
    })
    const timer = setTimeout(
      () => replayed.reject(new Error(`${missing} messages were not replayed`)),
      REPLAY_TIMEOUT_MS,
    )
    await replayed.promise.finally(() => clearTimeout(timer))
    client.close()
  }

  /** Joins the room and leaves it for another one. */
  async #joinAndLeave(): Promise<number> {
    await Promise.all(
      this.#joiners.map(async (client) => {
        for (let joined = 0; joined < JOINS_PER_USER; joined++) {
          await client.joinRoom(ROOM_ID)
          await client.joinRoom(OTHER_ROOM_ID)
        }
      }),
    )
    return JOINS_PER_USER * this.#joiners.length
  }
}

/** Runs `task` for each item, `atOnce` at a time. */
async function inTurns<T>(items: readonly T[], atOnce: number, task: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) await Promise.all(items.slice(from, from + atOnce).map(task))
}
