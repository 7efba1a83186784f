import * as v from 'valibot'
import { Id } from '../../shared/protocol/define.ts'
import { CloseCode } from '../../shared/protocol/frame.ts'
import { DUPLICATE_CHECK_MS } from '../../shared/text/limits.ts'
import type { Presence } from '../presence/presence.ts'
import type { Bus } from '../regions/bus.ts'
import type { Connection } from './connection.ts'
import type { Handler } from './outcome.ts'
import { encodeMoment, type Publisher } from './publish.ts'

const ALREADY_HERE = 'Başka bir sekmede ya da tarayıcıda zaten bağlısınız.'
const GOES_ON_ELSEWHERE = 'Oturumunuz başka bir yerde devam ediyor.'
/** More connections than this of one person, and the oldest go: each newer one asks all the older ones. */
const MOST_CONNECTIONS = 16
/** What one region asks another is gathered for this long, and asked this many at a time. */
const GATHER_MS = 20
const MOST_ASKED = 1_000

const ASKED = 'duplicates.asked'
const ANSWERED = 'duplicates.answered'
const TAKEN_OVER = 'duplicates.takenOver'

/** A connection of one region asks another region for older ones of its person. */
const Ask = v.object({
  userId: Id,
  connection: Id,
  tabId: v.nullable(v.string()),
  /** When it arrived; by this and by its region's name all regions agree on who came first. */
  arrivedAt: v.number(),
  /** How many connections of this person there are in the region that asks. */
  open: v.number(),
})
type Ask = v.InferOutput<typeof Ask>
const Asks = v.pipe(v.array(Ask), v.maxLength(MOST_ASKED))
/** An older connection is alive. */
const Answer = v.object({ userId: Id, connection: Id })
/** Who arrived before this is to end. */
const TakenOver = v.object({ userId: Id, at: v.number() })

/**
 * Whoever is here twice. The same tab replaces its older connection silently. Any other connection of this person is
 * asked, and only if it answers within a second is the newer one told (design/product.md, "Accounts"). In other
 * regions they are asked over the bus, as soon as presence tells of them there.
 */
export class Duplicates {
  private readonly presence: Presence
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly bus: Bus
  private readonly asks = new Map<string, Ask[]>()
  private gathering: NodeJS.Timeout | null = null

  constructor(world: { presence: Presence; publisher: Publisher; clock: () => number }, bus: Bus) {
    this.presence = world.presence
    this.publisher = world.publisher
    this.clock = world.clock
    this.bus = bus
    this.presence.onElsewhere((userId, region) => this.elsewhere(userId, region))
    bus.on(ASKED, (from, payload) => this.asked(from, payload))
    bus.on(ANSWERED, (_, payload) => this.answered(payload))
    bus.on(TAKEN_OVER, (_, payload) => this.takenOver(payload))
  }

  /** A connection said hello. */
  meet(newer: Connection): void {
    newer.arrivedAt = this.clock()
    const others = this.presence.othersOf(newer) // the oldest first
    const tooMany = others.splice(0, Math.max(0, others.length + 1 - MOST_CONNECTIONS))
    for (const oldest of tooMany) this.disconnect(oldest, 'too many connections')
    for (const older of others) {
      if (isSameTab(older, newer.identity?.tabId)) this.disconnect(older, 'the same tab came back')
      else this.whenAlive(older, () => older.closed || this.tell(newer))
    }
    const userId = newer.identity?.viewer.userId
    if (userId === undefined) return
    for (const region of this.presence.onlineElsewhere(userId)) this.ask(region, userId, newer)
  }

  /** A connection of this person has gone, wherever: whoever was told of it and is alone now may go on. */
  resolve(userId: number): void {
    const [last, ...more] = this.presence.connectionsOf(userId)
    if (!last?.toldDuplicate || more.length || this.presence.onlineElsewhere(userId).length) return
    last.toldDuplicate = false
    this.publisher.push(last, encodeMoment('duplicateConnectionResolved', {}))
  }

  /** The person chose to go on: the older connections end in all regions, and the client of this one goes home. */
  takeOver(connection: Connection): void {
    for (const older of this.presence.othersOf(connection)) this.forceOut(older)
    const userId = connection.identity?.viewer.userId
    if (userId !== undefined) this.bus.send('all', TAKEN_OVER, { userId, at: this.clock() })
  }

  /** Another region has this person too, or has them no more. */
  private elsewhere(userId: number, region: string): void {
    if (!this.presence.onlineElsewhere(userId).includes(region)) this.resolve(userId)
    else for (const connection of this.presence.connectionsOf(userId)) this.ask(region, userId, connection)
  }

  private ask(region: string, userId: number, { id, identity, arrivedAt }: Connection): void {
    const open = this.presence.connectionsOf(userId).length
    const asks = this.asks.get(region) ?? []
    this.asks.set(region, asks)
    asks.push({ userId, connection: id, tabId: identity?.tabId ?? null, arrivedAt, open })
    this.gathering ??= setTimeout(() => this.sendAsks(), GATHER_MS).unref()
  }

  private sendAsks(): void {
    this.gathering = null
    for (const [region, asks] of this.asks) {
      while (asks.length) this.bus.send(region, ASKED, asks.splice(0, MOST_ASKED))
    }
    this.asks.clear()
  }

  private asked(from: string, payload: unknown): void {
    const parsed = v.safeParse(Asks, payload)
    if (!parsed.success) return
    for (const ask of parsed.output) {
      const { userId, connection } = ask
      const older = this.presence.connectionsOf(userId).filter((own) => this.isBefore(own, ask.arrivedAt, from))
      const tooMany = older.splice(0, Math.max(0, older.length + ask.open - MOST_CONNECTIONS))
      for (const oldest of tooMany) this.disconnect(oldest, 'too many connections')
      for (const own of older) {
        if (isSameTab(own, ask.tabId)) this.disconnect(own, 'the same tab came back')
        else this.whenAlive(own, () => own.closed || this.bus.send(from, ANSWERED, { userId, connection }))
      }
    }
  }

  private answered(payload: unknown): void {
    const parsed = v.safeParse(Answer, payload)
    if (!parsed.success) return
    const { userId, connection } = parsed.output
    const newer = this.presence.connectionsOf(userId).find(({ id }) => id === connection)
    if (newer) this.tell(newer)
  }

  private takenOver(payload: unknown): void {
    const parsed = v.safeParse(TakenOver, payload)
    if (!parsed.success) return
    for (const own of this.presence.connectionsOf(parsed.output.userId)) {
      if (own.arrivedAt < parsed.output.at) this.forceOut(own)
    }
  }

  /** Whether our own connection arrived before one of another region. */
  private isBefore({ arrivedAt }: Connection, theirs: number, region: string): boolean {
    return arrivedAt < theirs || (arrivedAt === theirs && this.bus.region < region)
  }

  private whenAlive(older: Connection, then: () => void): void {
    const askedAt = this.clock()
    older.pongWaiters.push(() => {
      if (this.clock() - askedAt <= DUPLICATE_CHECK_MS) then()
    })
    older.transport.ping()
  }

  private tell(newer: Connection): void {
    if (newer.closed) return
    newer.toldDuplicate = true
    this.publisher.push(newer, encodeMoment('duplicateConnection', { message: ALREADY_HERE }))
  }

  private forceOut(older: Connection): void {
    this.publisher.push(older, encodeMoment('forceDisconnect', { message: GOES_ON_ELSEWHERE }))
    this.disconnect(older, 'taken over')
  }

  private disconnect(older: Connection, reason: string): void {
    this.presence.depart(older, 'broken')
    this.publisher.end(older, CloseCode.takenOver, reason)
  }
}

export const confirmDuplicateConnection: Handler<'confirmDuplicateConnection'> = (world, connection) => {
  world.duplicates.takeOver(connection)
  return { success: true }
}

function isSameTab({ identity }: Connection, tabId: string | null | undefined): boolean {
  return Boolean(tabId) && tabId === identity?.tabId
}
