import type { Person, UserSummary } from '../../shared/accounts/protocol.ts'
import { compareNames, upperBound } from '../../shared/presence/name-order.ts'
import { matchesFilter, type PeopleFilter } from '../../shared/presence/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { PEOPLE_PER_PAGE } from '../../shared/rooms/protocol.ts'
import { foldName } from '../../shared/text/turkish.ts'
import type { Connection } from '../live/connection.ts'
import { isSameSummary, RosterPublisher } from './roster-publisher.ts'

/** Somebody whose last connection broke is shown as offline for this long before having left: a reload is no leaving. */
const DISCONNECT_GRACE_MS = 3_000
/** A resume within this time goes on with the stay that was broken off. */
const RESUMABLE_STAY_MS = 2 * 60_000

/** How many people there are, and how many of each kind. Who has given no gender is neither female nor male. */
export interface UserCounts {
  activeUsers: number
  male: number
  female: number
  desktop: number
  mobile: number
}

/** How changes are told, under the names that the place has for them. */
export interface RosterListener {
  onJoin(person: Person): void
  onLeave(person: Person): void
  onOnlineChange(person: Person): void
  /** Somebody is shown in another way from now on. */
  onUpdate(person: Person): void
  /** To these newcomers, or to everyone: the first page of people and how many there are. */
  sendSnapshot(to: Iterable<Connection> | 'everyone', roster: Roster): void
  /** Somebody's part in this region changed or, with how, ended: other regions are to hear of it. */
  onLocalChange?(userId: UserId, ended?: LeaveReason): void
}

/** By choice, or because a line broke. */
export type LeaveReason = 'left' | 'disconnected'

/** Somebody whom this region's own connections hold here, or held a moment ago. */
export interface LocalMember {
  /** As this region sees them: online unless their last line broke. */
  person: Person
  /** How long they have been here, in milliseconds. */
  dwellMs: number
}

interface Member {
  person: Person
  /** Those of this region. */
  connections: Set<Connection>
  /** Other regions in which this person is here too, and whether they are online there. */
  otherRegions: Map<string, boolean>
  since: number
  /** Runs while no connection of this region is left, and the last one broke. */
  leaveTimer: NodeJS.Timeout | null
}

interface InterruptedStay {
  since: number
  leftAt: number
}

/** Names are folded once for as long as somebody is shown so: thousands are searched at every pause in typing. */
const foldedNames = new WeakMap<Person, string>()

/** Who is in one place (a room, the site), counted by person, however many connections each has, in whichever regions. */
export class Roster {
  private readonly listener: RosterListener
  private readonly clock: () => number
  private readonly members = new Map<UserId, Member>()
  private readonly interruptedStays = new Map<UserId, InterruptedStay>()
  private readonly publisher: RosterPublisher
  private cachedCounts: UserCounts | null = null

  constructor(listener: RosterListener, clock: () => number) {
    this.listener = listener
    this.clock = clock
    this.publisher = new RosterPublisher({
      ...listener,
      personOf: (userId) => this.members.get(userId)?.person,
      sendSnapshot: (to) => listener.sendSnapshot(to, this),
      onFlush: () => {
        this.cachedCounts = null
        this.pruneStays()
      },
      clock,
    })
  }

  get size(): number {
    return this.members.size
  }

  has(userId: UserId): boolean {
    return this.members.has(userId)
  }

  /** How long this person has been here without a break, in milliseconds; null when not here. */
  dwellMs(userId: UserId): number | null {
    const member = this.members.get(userId)
    return member ? this.clock() - member.since : null
  }

  /** Whether a line of this person is there, in any region. */
  isOnline(userId: UserId): boolean {
    return this.members.get(userId)?.person.isOnline ?? false
  }

  /** The other regions in which this person is online. */
  otherRegionsOf(userId: UserId): string[] {
    return [...(this.members.get(userId)?.otherRegions ?? [])].flatMap(([region, isOnline]) =>
      isOnline ? [region] : [],
    )
  }

  /** This region's own part of somebody's being here; null when it has none. */
  localMember(userId: UserId): LocalMember | null {
    const member = this.members.get(userId)
    if (!member || !isLocal(member)) return null
    const person = { ...member.person, isOnline: member.connections.size > 0 }
    return { person, dwellMs: Math.max(0, this.clock() - member.since) }
  }

  /** Adds a connection. With `resumedSince`, a stay that was broken off goes on, or began then. */
  addConnection(connection: Connection, person: Person, resumedSince?: number): void {
    this.queueSnapshot(connection)
    const member = this.members.get(person.id) ?? this.addMember(person, this.stayStart(person.id, resumedSince))
    if (member.leaveTimer) clearTimeout(member.leaveTimer)
    member.leaveTimer = null
    member.connections.add(connection)
    const isRenewed = this.updateMember(member, person)
    this.updateOnline(member)
    if (member.connections.size === 1 || isRenewed) this.listener.onLocalChange?.(person.id)
  }

  /** Somebody is shown in another way from now on, if they are here. */
  updateUser(face: UserSummary): void {
    const member = this.members.get(face.id)
    if (member && this.updateMember(member, { ...member.person, ...face }) && isLocal(member)) {
      this.listener.onLocalChange?.(face.id)
    }
  }

  /** A connection that is here already is to be told who is here, as one that comes is. */
  queueSnapshot(connection: Connection): void {
    this.publisher.queueSnapshot(connection)
  }

  /** Takes a connection away; the person leaves with the last one, at once or after the grace of a broken line. */
  removeConnection(connection: Connection, userId: UserId, how: LeaveReason): void {
    this.publisher.removeConnection(connection)
    const member = this.members.get(userId)
    if (!member?.connections.delete(connection) || member.connections.size > 0) return
    if (how === 'left') this.endLocalStay(userId, member, how)
    else {
      member.leaveTimer = setTimeout(() => this.endLocalStay(userId, member, how), DISCONNECT_GRACE_MS)
      this.updateOnline(member)
      this.listener.onLocalChange?.(userId)
    }
  }

  /** Another region says that this person is here, since when, and whether they are online there. */
  addRemote(region: string, person: Person, since: number): void {
    const member = this.members.get(person.id) ?? this.addMember(person, since)
    member.since = Math.min(member.since, since)
    member.otherRegions.set(region, person.isOnline)
    this.updateMember(member, person)
    this.updateOnline(member)
  }

  /** Another region says that this person is not here any more; its own grace is over. */
  removeRemote(region: string, userId: UserId, how: LeaveReason): void {
    const member = this.members.get(userId)
    if (!member?.otherRegions.delete(region)) return
    if (isLocal(member) || member.otherRegions.size > 0) this.updateOnline(member)
    else this.removeMember(userId, member, how)
  }

  /** The first page and the number of people as they are once this person has entered. */
  withUser(person: Person): { users: Person[]; total: number } {
    if (this.has(person.id)) return { users: this.page(), total: this.size }
    const users = [...this.page(), person]
      .sort((a, b) => compareNames(a.username, b.username))
      .slice(0, PEOPLE_PER_PAGE)
    return { users, total: this.size + 1 }
  }

  /** A page of people by name, after the given name. */
  page(after?: string): Person[] {
    return pageAfter(this.publisher.sorted(), after)
  }

  /**
   * A page of those whom the filter lets through, after the given name, and how many there are of them in all. It is of
   * what everyone was told last: whoever is given it hears of each change that is not in it, and of none that is.
   */
  search(filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    const found = this.publisher.published.filter(matchesFilter(filter, foldedName))
    return { users: pageAfter(found, after), total: found.length }
  }

  /** How many are here and of what kind, as of the last gathering: counted at most once in each. */
  counts(): UserCounts {
    this.cachedCounts ??= countUsers(Array.from(this.members.values(), ({ person }) => person))
    return this.cachedCounts
  }

  private addMember(person: Person, since: number): Member {
    this.publisher.markChanged(person.id)
    const member = { person, connections: new Set<Connection>(), otherRegions: new Map(), since, leaveTimer: null }
    this.members.set(person.id, member)
    return member
  }

  /** When the stay of somebody who comes now began. */
  private stayStart(userId: UserId, resumedSince?: number): number {
    const broken = this.interruptedStays.get(userId)
    const mayGoOn = broken && this.clock() - broken.leftAt < RESUMABLE_STAY_MS
    return resumedSince === undefined ? this.clock() : mayGoOn ? broken.since : resumedSince
  }

  /** What is told of somebody last is how they are shown from now on; whether they are online is looked at by itself. */
  private updateMember(member: Member, person: Person): boolean {
    if (isSameSummary(member.person, person)) return false
    this.publisher.markChanged(person.id)
    member.person = { ...person, isOnline: member.person.isOnline }
    return true
  }

  /** Somebody is online while a line of theirs is there, in any region. */
  private updateOnline(member: Member): void {
    const isOnline = member.connections.size > 0 || [...member.otherRegions.values()].includes(true)
    if (isOnline === member.person.isOnline) return
    this.publisher.markChanged(member.person.id)
    member.person = { ...member.person, isOnline }
  }

  private endLocalStay(userId: UserId, member: Member, how: LeaveReason): void {
    member.leaveTimer = null
    if (member.otherRegions.size > 0) this.updateOnline(member)
    else this.removeMember(userId, member, how)
    this.listener.onLocalChange?.(userId, how)
  }

  /** Whoever went away by choice enters anew: only a stay that broke off goes on. */
  private removeMember(userId: UserId, member: Member, how: LeaveReason): void {
    this.publisher.markChanged(userId)
    this.members.delete(userId)
    this.interruptedStays.delete(userId)
    if (how === 'disconnected') this.interruptedStays.set(userId, { since: member.since, leftAt: this.clock() })
  }

  private pruneStays(): void {
    for (const [userId, stay] of this.interruptedStays) {
      if (this.clock() - stay.leftAt < RESUMABLE_STAY_MS) return // oldest first
      this.interruptedStays.delete(userId)
    }
  }
}

function isLocal({ connections, leaveTimer }: Member): boolean {
  return connections.size > 0 || leaveTimer !== null
}

function pageAfter(people: readonly Person[], after: string | undefined): Person[] {
  const start = after === undefined ? 0 : upperBound(people, after)
  return people.slice(start, start + PEOPLE_PER_PAGE)
}

function foldedName(person: Person): string {
  const known = foldedNames.get(person)
  if (known !== undefined) return known
  const folded = foldName(person.username)
  foldedNames.set(person, folded)
  return folded
}

function countUsers(people: Person[]): UserCounts {
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
