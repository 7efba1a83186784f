import type { Face, Person } from '../../shared/accounts/protocol.ts'
import { byName, placeAfter } from '../../shared/presence/order.ts'
import { fits, type PeopleFilter } from '../../shared/presence/rules.ts'
import { PEOPLE_PER_PAGE } from '../../shared/rooms/protocol.ts'
import { foldName } from '../../shared/text/turkish.ts'
import type { Connection } from '../live/connection.ts'

/** Changes are gathered for this long before anyone hears of them. */
const GATHER_MS = 250
/** More changes than this in one gathering become one snapshot, shared by all. */
const MOST_CHANGES = 50
/** While thousands come at once, everyone gets a snapshot no more often than this; newcomers get theirs all the same. */
const TO_EVERYONE_MS = 1_000
/** Somebody whose last connection broke is shown as offline for this long before having left: a reload is no leaving. */
const GRACE_MS = 3_000
/** A resume within this time goes on with the stay that was broken off. */
const STAY_KEPT_MS = 2 * 60_000

/** How many people there are, and how many of each kind. Who has given no gender is neither female nor male. */
export interface Tally {
  activeUsers: number
  male: number
  female: number
  desktop: number
  mobile: number
}

/** How changes are told, under the names that the place has for them. */
export interface RosterVoice {
  joined(person: Person): void
  left(person: Person): void
  status(person: Person): void
  /** Somebody is shown in another way from now on. */
  updated(person: Person): void
  /** To these newcomers, or to everyone: the first page of people and how many there are. */
  snapshot(to: Iterable<Connection> | 'everyone', roster: Roster): void
  /** Somebody's part in this region changed or, with how, ended: other regions are to hear of it. */
  changedHere?(userId: number, ended?: Ending): void
}

/** By choice, or because a line broke. */
export type Ending = 'left' | 'broken'

/** Somebody whom this region's own connections hold here, or held a moment ago. */
export interface Own {
  /** As this region sees them: online unless their last line broke. */
  person: Person
  /** How long they have been here, in milliseconds. */
  hereForMs: number
}

interface Member {
  person: Person
  /** Those of this region. */
  connections: Set<Connection>
  /** Other regions in which this person is here too, and whether they are online there. */
  elsewhere: Map<string, boolean>
  since: number
  /** Runs while no connection of this region is left, and the last one broke. */
  leaving: NodeJS.Timeout | null
}

interface BrokenStay {
  since: number
  leftAt: number
}

/** Names are folded once for as long as somebody is shown so: thousands are searched at every pause in typing. */
const foldedNames = new WeakMap<Person, string>()

/** Who is in one place (a room, the site), counted by person, however many connections each has, in whichever regions. */
export class Roster {
  private readonly voice: RosterVoice
  private readonly clock: () => number
  private readonly members = new Map<number, Member>()
  private readonly brokenStays = new Map<number, BrokenStay>()
  /** What everyone was last told, for those who changed since. */
  private readonly told = new Map<number, Person | null>()
  private readonly newcomers = new Set<Connection>()
  private gathering: NodeJS.Timeout | null = null
  private toEveryoneAt = Number.NEGATIVE_INFINITY
  /** Everyone has a snapshot coming: single changes would be told on top of what they do not have. */
  private owesEveryone = false
  /** By name, as everyone was told last. */
  private asTold: readonly Person[] = []
  /** By name, with changes that nobody was told yet. */
  private sorted: readonly Person[] | null = null
  private tallied: Tally | null = null

  constructor(voice: RosterVoice, clock: () => number) {
    this.voice = voice
    this.clock = clock
  }

  get size(): number {
    return this.members.size
  }

  has(userId: number): boolean {
    return this.members.has(userId)
  }

  /** How long this person has been here without a break, in milliseconds; null when not here. */
  hereFor(userId: number): number | null {
    const member = this.members.get(userId)
    return member ? this.clock() - member.since : null
  }

  /** Whether a line of this person is there, in any region. */
  isOnline(userId: number): boolean {
    return this.members.get(userId)?.person.isOnline ?? false
  }

  /** The other regions in which this person is online. */
  onlineElsewhere(userId: number): string[] {
    return [...(this.members.get(userId)?.elsewhere ?? [])].flatMap(([region, isOnline]) => (isOnline ? [region] : []))
  }

  /** This region's own part of somebody's being here; null when it has none. */
  own(userId: number): Own | null {
    const member = this.members.get(userId)
    if (!member || !isHeldHere(member)) return null
    const person = { ...member.person, isOnline: member.connections.size > 0 }
    return { person, hereForMs: Math.max(0, this.clock() - member.since) }
  }

  /** Adds a connection. With `resumedSince`, a stay that was broken off goes on, or began then. */
  add(connection: Connection, person: Person, resumedSince?: number): void {
    this.introduce(connection)
    const member = this.members.get(person.id) ?? this.enter(person, this.begun(person.id, resumedSince))
    if (member.leaving) clearTimeout(member.leaving)
    member.leaving = null
    member.connections.add(connection)
    const isRenewed = this.renew(member, person)
    this.look(member)
    if (member.connections.size === 1 || isRenewed) this.voice.changedHere?.(person.id)
  }

  /** Somebody is shown in another way from now on, if they are here. */
  renewFace(face: Face): void {
    const member = this.members.get(face.id)
    if (member && this.renew(member, { ...member.person, ...face }) && isHeldHere(member)) {
      this.voice.changedHere?.(face.id)
    }
  }

  /** A connection that is here already is to be told who is here, as one that comes is. */
  introduce(connection: Connection): void {
    this.newcomers.add(connection)
    this.gather()
  }

  /** Takes a connection away; the person leaves with the last one, at once or after the grace of a broken line. */
  remove(connection: Connection, userId: number, how: Ending): void {
    this.newcomers.delete(connection)
    const member = this.members.get(userId)
    if (!member?.connections.delete(connection) || member.connections.size > 0) return
    if (how === 'left') this.endHere(userId, member, how)
    else {
      member.leaving = setTimeout(() => this.endHere(userId, member, how), GRACE_MS)
      this.look(member)
      this.voice.changedHere?.(userId)
    }
  }

  /** Another region says that this person is here, since when, and whether they are online there. */
  addElsewhere(region: string, person: Person, since: number): void {
    const member = this.members.get(person.id) ?? this.enter(person, since)
    member.since = Math.min(member.since, since)
    member.elsewhere.set(region, person.isOnline)
    this.renew(member, person)
    this.look(member)
  }

  /** Another region says that this person is not here any more; its own grace is over. */
  removeElsewhere(region: string, userId: number, how: Ending): void {
    const member = this.members.get(userId)
    if (!member?.elsewhere.delete(region)) return
    if (isHeldHere(member) || member.elsewhere.size > 0) this.look(member)
    else this.leave(userId, member, how)
  }

  /** The first page and the number of people as they are once this person has entered. */
  including(person: Person): { users: Person[]; total: number } {
    if (this.has(person.id)) return { users: this.page(), total: this.size }
    const users = [...this.page(), person].sort((a, b) => byName(a.username, b.username)).slice(0, PEOPLE_PER_PAGE)
    return { users, total: this.size + 1 }
  }

  /** A page of people by name, after the given name. */
  page(after?: string): Person[] {
    return pageAfter(this.byName(), after)
  }

  /**
   * A page of those whom the filter lets through, after the given name, and how many there are of them in all. It is of
   * what everyone was told last: whoever is given it hears of each change that is not in it, and of none that is.
   */
  find(filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    const found = this.asTold.filter(fits(filter, foldedName))
    return { users: pageAfter(found, after), total: found.length }
  }

  /** How many are here and of what kind, as of the last gathering: counted at most once in each. */
  tally(): Tally {
    this.tallied ??= tallyOf(Array.from(this.members.values(), ({ person }) => person))
    return this.tallied
  }

  private enter(person: Person, since: number): Member {
    this.change(person.id)
    const member = { person, connections: new Set<Connection>(), elsewhere: new Map(), since, leaving: null }
    this.members.set(person.id, member)
    return member
  }

  /** When the stay of somebody who comes now began. */
  private begun(userId: number, resumedSince?: number): number {
    const broken = this.brokenStays.get(userId)
    const mayGoOn = broken && this.clock() - broken.leftAt < STAY_KEPT_MS
    return resumedSince === undefined ? this.clock() : mayGoOn ? broken.since : resumedSince
  }

  /** What is told of somebody last is how they are shown from now on; whether they are online is looked at by itself. */
  private renew(member: Member, person: Person): boolean {
    if (isSameFace(member.person, person)) return false
    this.change(person.id)
    member.person = { ...person, isOnline: member.person.isOnline }
    return true
  }

  /** Somebody is online while a line of theirs is there, in any region. */
  private look(member: Member): void {
    const isOnline = member.connections.size > 0 || [...member.elsewhere.values()].includes(true)
    if (isOnline === member.person.isOnline) return
    this.change(member.person.id)
    member.person = { ...member.person, isOnline }
  }

  private endHere(userId: number, member: Member, how: Ending): void {
    member.leaving = null
    if (member.elsewhere.size > 0) this.look(member)
    else this.leave(userId, member, how)
    this.voice.changedHere?.(userId, how)
  }

  /** Whoever went away by choice enters anew: only a stay that broke off goes on. */
  private leave(userId: number, member: Member, how: Ending): void {
    this.change(userId)
    this.members.delete(userId)
    this.brokenStays.delete(userId)
    if (how === 'broken') this.brokenStays.set(userId, { since: member.since, leftAt: this.clock() })
  }

  /** Called before each change: remembers what everyone was told last. */
  private change(userId: number): void {
    if (!this.told.has(userId)) this.told.set(userId, this.members.get(userId)?.person ?? null)
    this.gather()
  }

  private gather(): void {
    this.gathering ??= setTimeout(() => this.tell(), GATHER_MS)
  }

  private tell(): void {
    this.gathering = null
    this.asTold = this.withChanges()
    this.sorted = null
    this.tallied = null
    const changed = [...this.told]
    const newcomers = [...this.newcomers]
    this.told.clear()
    this.newcomers.clear()
    this.forgetOldStays()
    if (this.owesEveryone || changed.length > MOST_CHANGES) this.tellEveryone(newcomers)
    else {
      for (const [userId, before] of changed) this.tellOne(before, this.members.get(userId)?.person)
      if (newcomers.length) this.voice.snapshot(newcomers, this)
    }
  }

  private tellEveryone(newcomers: Connection[]): void {
    this.owesEveryone = Math.abs(this.clock() - this.toEveryoneAt) < TO_EVERYONE_MS
    if (this.owesEveryone) {
      if (newcomers.length) this.voice.snapshot(newcomers, this)
      this.gather()
    } else {
      this.toEveryoneAt = this.clock()
      this.voice.snapshot('everyone', this)
    }
  }

  private tellOne(before: Person | null, now: Person | undefined): void {
    if (now && !before) this.voice.joined(now)
    else if (before && !now) this.voice.left(before)
    else if (before && now && !isSameFace(before, now)) this.voice.updated(now)
    else if (before && now && before.isOnline !== now.isOnline) this.voice.status(now)
  }

  private forgetOldStays(): void {
    for (const [userId, stay] of this.brokenStays) {
      if (this.clock() - stay.leftAt < STAY_KEPT_MS) return // oldest first
      this.brokenStays.delete(userId)
    }
  }

  /** Put in order at most once a gathering, so that 5,000 people who come at once are not sorted 5,000 times. */
  private byName(): readonly Person[] {
    this.sorted ??= this.withChanges()
    return this.sorted
  }

  /** Only whoever changed is sorted: in a room of thousands that is a few at a time. */
  private withChanges(): readonly Person[] {
    if (this.told.size === 0) return this.asTold
    const others = this.asTold.filter(({ id }) => !this.told.has(id))
    const changed = [...this.told.keys()].flatMap((id) => this.members.get(id)?.person ?? [])
    return insert(others, changed)
  }
}

function isHeldHere({ connections, leaving }: Member): boolean {
  return connections.size > 0 || leaving !== null
}

/** Whether two are shown alike, online or not. */
function isSameFace(one: Person, other: Person): boolean {
  return (Object.keys({ ...one, ...other }) as (keyof Person)[]) // the keys of two people are a person's
    .every((key) => key === 'isOnline' || one[key] === other[key])
}

/** Those who are in order, and these in their places among them. */
function insert(inOrder: Person[], people: Person[]): Person[] {
  const all: Person[] = []
  let next = 0
  for (const person of people.sort((a, b) => byName(a.username, b.username))) {
    const place = placeAfter(inOrder, person.username)
    for (const other of inOrder.slice(next, place)) all.push(other)
    all.push(person)
    next = place
  }
  return all.concat(inOrder.slice(next))
}

function pageAfter(people: readonly Person[], after: string | undefined): Person[] {
  const start = after === undefined ? 0 : placeAfter(people, after)
  return people.slice(start, start + PEOPLE_PER_PAGE)
}

function foldedName(person: Person): string {
  const known = foldedNames.get(person)
  if (known !== undefined) return known
  const folded = foldName(person.username)
  foldedNames.set(person, folded)
  return folded
}

function tallyOf(people: Person[]): Tally {
  const count = (fits: (person: Person) => boolean): number => people.filter(fits).length
  const mobile = count(({ lastLoginPlatform }) => lastLoginPlatform === 'mobile')
  return {
    activeUsers: people.length,
    male: count(({ gender }) => gender === 'male'),
    female: count(({ gender }) => gender === 'female'),
    desktop: people.length - mobile,
    mobile,
  }
}
