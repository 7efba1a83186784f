import type { Person, UserSummary } from '../../../shared/accounts/protocol.ts'
import { upperBound } from '../../../shared/presence/name-order.ts'
import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { PEOPLE_PER_PAGE } from '../../../shared/rooms/protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Connection } from '../live/connection.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import { isSameSummary, RosterPublisher } from './roster-publisher.ts'
import { countUsers, type UserCounts } from './user-counts.ts'

/** After the last connection broke, a member is offline for this long before leaving, so that a reload is no leave. */
const DISCONNECT_GRACE_MS = 3_000
/** A resume within this time continues an interrupted stay. */
const RESUMABLE_STAY_MS = 2 * 60_000

/** Cache of folded names: thousands are searched at every pause in typing. */
const foldedNames = new WeakMap<Person, string>()

/** Deliberately, or because the connection broke. */
export type LeaveReason = 'left' | 'disconnected'

/**
 * Publishes the changes of a roster under the event names of its room or of the site. A person with `isGhost` is
 * ghost-banned: the change is for themselves and, on the site, for root admins.
 */
export interface RosterListener {
  onJoin(person: Person): void
  onLeave(person: Person): void
  onOnlineChange(person: Person): void
  /** The user summary changed, or whether the user is a ghost. */
  onUpdate(person: Person, before: Person): void
  /** Sends the first page and the total to newcomers or to everyone. */
  sendSnapshot(to: Iterable<Connection> | 'everyone', roster: Roster): void
  /** The roster of the site, where root admins see ghosts, marked. */
  isSite?: boolean
  /** A user has entered or left, as everybody sees it. Called at once, unlike the above. */
  onSizeChange?(size: number): void
  /** A ghost has entered or left, which only they see. */
  onOwnSizeChange?(userId: UserId): void
  /** A member's presence in this region changed or, with `ended`, ended; other regions must be informed. */
  onLocalChange?(userId: UserId, ended?: LeaveReason): void
}

/** A member with connections in this region, or within their grace period. */
export interface LocalMember {
  /** Online unless the last connection of this region broke. */
  person: Person
  /** Time since the member entered, in milliseconds. */
  dwellMs: number
}

interface Member {
  /** With `isGhost` while ghost-banned. */
  person: Person
  /** Connections of this region. */
  connections: Set<Connection>
  /** Other regions in which the user is a member, and whether they are online there. */
  otherRegions: Map<string, boolean>
  since: number
  /** The grace period after the last connection of this region broke. */
  leaveTimer: NodeJS.Timeout | null
}

interface InterruptedStay {
  since: number
  leftAt: number
}

/**
 * The users in a room or on the site, each counted once for all connections and regions. A ghost is there for themselves
 * and, on the site, for root admins.
 */
export class Roster {
  private readonly listener: RosterListener
  private readonly clock: () => number
  private readonly isGhost: (userId: UserId) => boolean
  private readonly members = new Map<UserId, Member>()
  private readonly ghosts = new Set<UserId>()
  private readonly interruptedStays = new Map<UserId, InterruptedStay>()
  private readonly publisher: RosterPublisher
  /** Rises with every user who enters or leaves for everybody, also when the size is then the same again. */
  revision = 0
  private cachedCounts: UserCounts | null = null

  /** @param isGhost whether a user who enters is ghost-banned */
  constructor(listener: RosterListener, clock: () => number, isGhost: (userId: UserId) => boolean = () => false) {
    this.listener = listener
    this.clock = clock
    this.isGhost = isGhost
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

  /** Number of members as everybody sees it. */
  get size(): number {
    return this.members.size - this.ghosts.size
  }

  /** Number of members as the viewer sees it. */
  sizeFor(viewer: PresenceViewer | null): number {
    if (this.seesGhosts(viewer)) return this.members.size
    return this.size + (this.isGhostHere(viewer) ? 1 : 0)
  }

  /** Whether the viewer is a member whom others do not see. */
  isGhostHere(viewer: PresenceViewer | null): boolean {
    return viewer !== null && this.ghosts.has(viewer.userId)
  }

  /** Whether the user is a member, ghosts included. */
  has(userId: UserId): boolean {
    return this.members.has(userId)
  }

  /** Whether the viewer sees the user here. */
  isShown(userId: UserId, viewer: PresenceViewer | null): boolean {
    return this.members.has(userId) && (!this.ghosts.has(userId) || this.canSee(userId, viewer))
  }

  /** How long the user has been a member without a break, in milliseconds; null for others. */
  dwellMs(userId: UserId): number | null {
    const member = this.members.get(userId)
    return member ? this.clock() - member.since : null
  }

  /** A page of members by name, after the given name, as the viewer sees them. */
  page(viewer: PresenceViewer | null, after?: string): Person[] {
    return this.publisher.page(this.shownTo(viewer), after)
  }

  /** The first page and the total as they are once the person has entered. */
  withUser(person: Person): { users: Person[]; total: number } {
    const viewer = { userId: person.id, role: person.role }
    const users = this.page(viewer)
    if (this.has(person.id)) return { users, total: this.sizeFor(viewer) }
    users.splice(upperBound(users, person.username), 0, person)
    return { users: users.slice(0, PEOPLE_PER_PAGE), total: this.size + 1 }
  }

  /** The first page and the total of the members who are connected, so without those within their grace period. */
  connected(): { users: Person[]; total: number } {
    const isOnline = (person: Person): boolean => person.isOnline
    return { users: this.page(null).filter(isOnline), total: this.peopleFor(null).filter(isOnline).length }
  }

  /**
   * A page of matching members after the given name, and their total. It searches the published members, so that later
   * events contain exactly the changes that the page does not.
   */
  search(viewer: PresenceViewer | null, filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    const shown = this.shownTo(viewer)
    const matches = this.publisher.published
      .filter(matchesFilter(filter, foldedName))
      .flatMap((one) => shown(one) ?? [])
    const start = after === undefined ? 0 : upperBound(matches, after)
    return { users: matches.slice(start, start + PEOPLE_PER_PAGE), total: matches.length }
  }

  /** Counts by kind as the viewer sees them; those of everybody are recalculated at most once per flush. */
  counts(viewer: PresenceViewer | null): UserCounts {
    if (this.isGhostHere(viewer) || (this.ghosts.size > 0 && this.seesGhosts(viewer)))
      return countUsers(this.peopleFor(viewer))
    this.cachedCounts ??= countUsers(this.peopleFor(null))
    return this.cachedCounts
  }

  /** Whether the user has an open connection in any region, ghosts included. */
  isOnline(userId: UserId): boolean {
    return this.members.get(userId)?.person.isOnline ?? false
  }

  /** Other regions in which the user is online. */
  otherRegionsOf(userId: UserId): string[] {
    return [...(this.members.get(userId)?.otherRegions ?? [])].flatMap(([region, isOnline]) =>
      isOnline ? [region] : [],
    )
  }

  /** The user's membership by connections of this region; null without any. */
  localMember(userId: UserId): LocalMember | null {
    const member = this.members.get(userId)
    if (!member || !isLocal(member)) return null
    const person = { ...unmarked(member.person), isOnline: member.connections.size > 0 }
    return { person, dwellMs: Math.max(0, this.clock() - member.since) }
  }

  /** Adds a connection. With `resumedSince` it continues an interrupted stay, or one that began then. */
  addConnection(connection: Connection, person: Person, resumedSince?: number): void {
    this.publisher.queueSnapshot(connection)
    const member = this.members.get(person.id) ?? this.addMember(person, this.stayStart(person.id, resumedSince))
    if (member.leaveTimer) clearTimeout(member.leaveTimer)
    member.leaveTimer = null
    member.connections.add(connection)
    const isUpdated = this.updateMember(member, person)
    this.updateOnline(member)
    if (member.connections.size === 1 || isUpdated) this.listener.onLocalChange?.(person.id)
  }

  /** Applies a changed user summary to a member. */
  updateUser(user: UserSummary): void {
    const member = this.members.get(user.id)
    if (member && this.updateMember(member, { ...member.person, ...user }) && isLocal(member)) {
      this.listener.onLocalChange?.(user.id)
    }
  }

  /** Sends the connection a snapshot with the next flush. */
  queueSnapshot(connection: Connection): void {
    this.publisher.queueSnapshot(connection)
  }

  /** A member was ghost-banned, or the ban has ended: others see them leave or enter. */
  setGhost(userId: UserId, isGhost: boolean): void {
    const member = this.members.get(userId)
    if (!member || this.ghosts.has(userId) === isGhost) return
    this.publisher.markChanged(userId)
    if (isGhost) this.ghosts.add(userId)
    else this.ghosts.delete(userId)
    member.person = this.marked(member.person)
    this.onEverybodysSizeChange()
    if (isLocal(member)) this.listener.onLocalChange?.(userId)
  }

  /** Removes a connection; with the last one the member leaves, at once or after the grace period if it broke. */
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

  /** Applies that the user is a member in another region; `since` on this clock. */
  addRemote(region: string, person: Person, since: number): void {
    const member = this.members.get(person.id) ?? this.addMember(person, since)
    member.since = Math.min(member.since, since)
    member.otherRegions.set(region, person.isOnline)
    this.updateMember(member, person)
    this.updateOnline(member)
  }

  /** Applies that the user left in another region, after its grace period. */
  removeRemote(region: string, userId: UserId, how: LeaveReason): void {
    const member = this.members.get(userId)
    if (!member?.otherRegions.delete(region)) return
    if (isLocal(member) || member.otherRegions.size > 0) this.updateOnline(member)
    else this.removeMember(userId, member, how)
  }

  private addMember(person: Person, since: number): Member {
    this.publisher.markChanged(person.id)
    const isGhost = this.isGhost(person.id)
    if (isGhost) this.ghosts.add(person.id)
    const local = { connections: new Set<Connection>(), leaveTimer: null }
    const member = { person: this.marked(person), otherRegions: new Map(), since, ...local }
    this.members.set(person.id, member)
    this.onSizeChange(person.id, isGhost)
    return member
  }

  /** Start of the stay of a user who enters now. */
  private stayStart(userId: UserId, resumedSince?: number): number {
    const interrupted = this.interruptedStays.get(userId)
    const isResumable = interrupted && this.clock() - interrupted.leftAt < RESUMABLE_STAY_MS
    return resumedSince === undefined ? this.clock() : isResumable ? interrupted.since : resumedSince
  }

  /** Replaces the user summary, without `isOnline`. Returns whether it changed. */
  private updateMember(member: Member, person: Person): boolean {
    const shown = this.marked(person)
    if (isSameSummary(member.person, shown)) return false
    this.publisher.markChanged(person.id)
    member.person = { ...shown, isOnline: member.person.isOnline }
    return true
  }

  /** A member is online while connected in any region. */
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

  /** Remembers the stay only if the connection broke; after a deliberate leave a new stay begins. */
  private removeMember(userId: UserId, member: Member, how: LeaveReason): void {
    this.publisher.markChanged(userId)
    this.members.delete(userId)
    this.onSizeChange(userId, this.ghosts.delete(userId))
    this.interruptedStays.delete(userId)
    if (how === 'disconnected') this.interruptedStays.set(userId, { since: member.since, leftAt: this.clock() })
  }

  private onSizeChange(userId: UserId, isGhost: boolean): void {
    if (isGhost) this.listener.onOwnSizeChange?.(userId)
    else this.onEverybodysSizeChange()
  }

  private onEverybodysSizeChange(): void {
    this.revision++
    this.listener.onSizeChange?.(this.size)
  }

  private seesGhosts(viewer: PresenceViewer | null): boolean {
    return this.listener.isSite === true && viewer?.role === 'rootadmin'
  }

  private canSee(ghostId: UserId, viewer: PresenceViewer | null): boolean {
    return viewer?.userId === ghostId || this.seesGhosts(viewer)
  }

  /** A member as the viewer sees one: a ghost marked to root admins on the site, as any to themselves, hidden from others. */
  private shownTo(viewer: PresenceViewer | null): (person: Person) => Person | undefined {
    if (this.seesGhosts(viewer)) return (person) => person
    return (person) => {
      if (!person.isGhost) return person
      return person.id === viewer?.userId ? unmarked(person) : undefined
    }
  }

  private peopleFor(viewer: PresenceViewer | null): Person[] {
    const shown = this.shownTo(viewer)
    return [...this.members.values()].flatMap(({ person }) => shown(person) ?? [])
  }

  private marked(person: Person): Person {
    return this.ghosts.has(person.id) ? { ...person, isGhost: true } : unmarked(person)
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

/** As the person sees themselves. */
export function unmarked(person: Person): Person {
  if (!person.isGhost) return person
  const { isGhost: _, ...shown } = person
  return shown
}

function foldedName(person: Person): string {
  const cached = foldedNames.get(person)
  if (cached !== undefined) return cached
  const folded = foldName(person.username)
  foldedNames.set(person, folded)
  return folded
}
