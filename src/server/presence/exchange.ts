import * as v from 'valibot'
import { Person } from '../../shared/accounts/protocol.ts'
import { Count, Id } from '../../shared/protocol/define.ts'
import type { Bus } from '../regions/bus.ts'
import type { Ending, Roster } from './roster.ts'

/** What changed is gathered for this long into one message for all regions. */
const GATHER_MS = 100
/** People in one message: with as many rooms as may be told they still fit into a frame of the link (1 MiB). */
const PEOPLE_A_MESSAGE = 500
/** Rooms that are told of one person: more than their connections can be in, those of broken lines included. */
const MOST_ROOMS = 32
/** People of one region that another one keeps track of. */
const MOST_PEOPLE = 200_000
/** A region that was asked for everything is not asked again within this time. */
const ASK_AGAIN_MS = 5_000

const TOLD = 'presence.told'
const ASKED = 'presence.asked'

/** All that a region has of one person. What is not in it has ended. */
const Told = v.object({
  id: Id,
  /** As the site shows them; null when they are not in that region any more. */
  user: v.nullable(Person),
  rooms: v.pipe(
    v.array(v.object({ roomId: Id, isOnline: v.boolean(), hereForMs: v.pipe(v.number(), v.finite(), v.minValue(0)) })),
    v.maxLength(MOST_ROOMS),
  ),
  /** Rooms that ended because a line broke: a resume may go on there. */
  broken: v.pipe(v.array(Id), v.maxLength(MOST_ROOMS)),
})
type Told = v.InferOutput<typeof Told>

const Message = v.object({
  /** The number of changes that this region has told so far, this one included. */
  at: Count,
  /** One by one, so that a person whom only newer code understands costs nobody else. */
  people: v.pipe(v.array(v.unknown()), v.maxLength(PEOPLE_A_MESSAGE)),
  /** Part of everything that the region has: whoever is in no part is not there. */
  whole: v.optional(v.picklist(['first', 'more', 'last', 'only'])),
})
type Message = v.InferOutput<typeof Message>

/** The places that people are in. */
export interface Places {
  site: Roster
  room(roomId: number): Roster
  /** This person came online in another region, or is there no more. */
  changedElsewhere(userId: number, region: string): void
}

interface Region {
  /** The number of the last change that was heard; null until everything was told. */
  at: number | null
  /** Its people, and the rooms that each is in there. */
  people: Map<number, Set<number>>
  /** While everything is told: those who were known before and were not among it yet. */
  unconfirmed: Set<number>
  askedAt: number
}

/** Tells the other regions who is here, and keeps what they tell. */
export class Exchange {
  private readonly bus: Bus
  private readonly places: Places
  private readonly clock: () => number
  /** This region's own people, and the rooms that each is in. */
  private readonly own = new Map<number, Set<number>>()
  /** Whoever changed since the last message, with the rooms that ended because a line broke. */
  private readonly changed = new Map<number, Set<number>>()
  private readonly regions = new Map<string, Region>()
  private at = 0
  private gathering: NodeJS.Timeout | null = null

  constructor(bus: Bus, places: Places, clock: () => number) {
    this.bus = bus
    this.places = places
    this.clock = clock
    bus.on(TOLD, (from, payload) => this.heard(from, payload))
    bus.on(ASKED, (from) => this.tellAll(from))
    bus.onJoined((region) => this.ask(region))
    bus.onGone((region) => this.forget(region))
    for (const region of bus.others()) this.ask(region)
  }

  /** This region's own part of somebody changed on the site (`roomId` null) or in a room. */
  changedHere(userId: number, roomId: number | null, ended?: Ending): void {
    const broken = this.changed.get(userId) ?? new Set()
    this.changed.set(userId, broken)
    if (roomId === null) {
      if (ended) this.own.delete(userId)
      else if (!this.own.has(userId)) this.own.set(userId, new Set())
    } else {
      if (ended) this.own.get(userId)?.delete(roomId)
      else this.own.get(userId)?.add(roomId)
      if (ended === 'broken') broken.add(roomId)
      else broken.delete(roomId)
    }
    this.gathering ??= setTimeout(() => this.tellChanges(), GATHER_MS).unref()
  }

  close(): void {
    if (this.gathering) clearTimeout(this.gathering)
  }

  private tellChanges(): void {
    this.gathering = null
    const changed = [...this.changed]
    this.changed.clear()
    if (this.bus.others().length === 0) {
      this.at++ // whoever took us for reachable finds that something is missing
      return
    }
    for (const part of parts(changed.map(([id, broken]) => this.toldOf(id, [...broken])))) {
      const message: Message = { at: ++this.at, people: part }
      this.bus.send('all', TOLD, message)
    }
  }

  private tellAll(to: string): void {
    const all = parts(Array.from(this.own.keys(), (id) => this.toldOf(id, [])))
    if (all.length === 0) all.push([])
    all.forEach((people, index) => {
      const isLast = index === all.length - 1
      const whole = index > 0 ? (isLast ? 'last' : 'more') : isLast ? 'only' : 'first'
      const message: Message = { at: this.at, people, whole }
      this.bus.send(to, TOLD, message)
    })
  }

  private toldOf(id: number, broken: number[]): Told {
    const user = this.places.site.own(id)?.person ?? null
    const rooms = [...(user ? (this.own.get(id) ?? []) : [])].slice(0, MOST_ROOMS).flatMap((roomId) => {
      const own = this.places.room(roomId).own(id)
      return own ? [{ roomId, isOnline: own.person.isOnline, hereForMs: own.hereForMs }] : []
    })
    return { id, user, rooms, broken: broken.slice(0, MOST_ROOMS) }
  }

  private ask(from: string, region = this.known(from)): void {
    region.askedAt = this.clock()
    this.bus.send(from, ASKED, {})
  }

  /** What was not told in one unbroken row is asked for as a whole. */
  private heard(from: string, payload: unknown): void {
    const parsed = v.safeParse(Message, payload)
    if (!parsed.success) return
    const { at, people, whole } = parsed.output
    const region = this.known(from)
    if (whole === 'first' || whole === 'only') {
      region.at = at
      region.unconfirmed = new Set(region.people.keys())
    } else if (whole === undefined && region.at !== null && at === region.at + 1) region.at = at
    else if (whole === undefined || region.at === null) {
      if (Math.abs(this.clock() - region.askedAt) >= ASK_AGAIN_MS) this.ask(from, region)
      return
    }
    for (const person of people) this.apply(from, region, person, whole !== undefined)
    if (whole === 'last' || whole === 'only') {
      for (const id of region.unconfirmed) this.gone(from, region, id)
      region.unconfirmed.clear()
    }
  }

  private apply(from: string, region: Region, person: unknown, afresh: boolean): void {
    const parsed = v.safeParse(Told, person)
    if (!parsed.success) return
    const { id, user, broken } = parsed.output
    const wasOnline = this.isOnlineIn(from, id)
    region.unconfirmed.delete(id)
    if (!user) this.gone(from, region, id, broken)
    else if (user.id === id && (region.people.has(id) || region.people.size < MOST_PEOPLE)) {
      this.place(from, region, user, parsed.output)
      // What was to be done about it before may have been lost on the way.
      if (afresh || user.isOnline !== wasOnline) this.places.changedElsewhere(id, from)
    }
  }

  private place(from: string, region: Region, user: Person, { id, rooms, broken }: Told): void {
    const now = this.clock()
    const before = region.people.get(id) ?? []
    const after = new Set(rooms.map(({ roomId }) => roomId))
    region.people.set(id, after)
    this.places.site.addElsewhere(from, user, now)
    for (const { roomId, isOnline, hereForMs } of rooms) {
      this.places.room(roomId).addElsewhere(from, { ...user, isOnline }, now - hereForMs)
    }
    for (const roomId of before) {
      const how = broken.includes(roomId) ? 'broken' : 'left'
      if (!after.has(roomId)) this.places.room(roomId).removeElsewhere(from, id, how)
    }
  }

  /** Nothing of this person is in that region any more; by default because the region itself could not say. */
  private gone(from: string, region: Region, id: number, broken?: number[]): void {
    const rooms = region.people.get(id)
    if (!rooms) return
    const wasOnline = this.isOnlineIn(from, id)
    region.people.delete(id)
    for (const roomId of rooms) {
      const how = !broken || broken.includes(roomId) ? 'broken' : 'left'
      this.places.room(roomId).removeElsewhere(from, id, how)
    }
    this.places.site.removeElsewhere(from, id, broken ? 'left' : 'broken')
    if (wasOnline) this.places.changedElsewhere(id, from)
  }

  /** It could not be reached for so long that its people count as gone: no grace is left to them. */
  private forget(from: string): void {
    const region = this.known(from)
    for (const id of [...region.people.keys()]) this.gone(from, region, id)
    this.regions.delete(from)
  }

  private isOnlineIn(region: string, userId: number): boolean {
    return this.places.site.onlineElsewhere(userId).includes(region)
  }

  private known(name: string): Region {
    const known = this.regions.get(name)
    if (known) return known
    const region: Region = { at: null, people: new Map(), unconfirmed: new Set(), askedAt: Number.NEGATIVE_INFINITY }
    this.regions.set(name, region)
    return region
  }
}

function parts(people: Told[]): Told[][] {
  const count = Math.ceil(people.length / PEOPLE_A_MESSAGE)
  return Array.from({ length: count }, (_, index) =>
    people.slice(index * PEOPLE_A_MESSAGE, (index + 1) * PEOPLE_A_MESSAGE),
  )
}
