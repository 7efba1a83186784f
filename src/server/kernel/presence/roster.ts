import type { Person, UserSummary } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Connection } from '../live/connection.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import { isSameSummary } from './roster-publisher.ts'
import type { RosterView } from './roster-view.ts'
import { type LeaveReason, type RosterListener, RosterViews } from './roster-views.ts'

/** After the last connection broke, a member is offline for this long before leaving, so that a reload is no leave. */
const DISCONNECT_GRACE_MS = 3_000
/** A resume within this time continues an interrupted stay. */
const RESUMABLE_STAY_MS = 2 * 60_000

/** A member with connections in this region, or within their grace period. */
export interface LocalMember {
  /** Online unless the last connection of this region broke. */
  person: Person
  /** Time since the member entered, in milliseconds. */
  dwellMs: number
}

interface Member {
  person: Person
  /** Connections of this region. */
  connections: Set<Connection>
  /** Other regions in which the user is a member, and whether they are online there. */
  otherRegions: Map<string, boolean>
  since: number
  /** Hidden from others: banned as a ghost. */
  isGhost: boolean
  /** When others began to see the member again after a ghost ban. */
  shownSince: number
  /** The grace period after the last connection of this region broke. */
  leaveTimer: NodeJS.Timeout | null
}

interface InterruptedStay {
  since: number
  leftAt: number
}

/** The users in a room or on the site, each counted once for all connections and regions. */
export class Roster {
  private readonly listener: RosterListener
  private readonly clock: () => number
  private readonly isGhost: (userId: UserId) => boolean
  private readonly members = new Map<UserId, Member>()
  private readonly interruptedStays = new Map<UserId, InterruptedStay>()
  private readonly views: RosterViews

  /** @param isGhost whether a user who enters is ghost-banned */
  constructor(listener: RosterListener, clock: () => number, isGhost: (userId: UserId) => boolean = () => false) {
    this.listener = listener
    this.clock = clock
    this.isGhost = isGhost
    this.views = new RosterViews({ members: this.members, listener, onFlush: () => this.pruneStays(), clock })
  }

  /** Number of members as everybody sees it. */
  get size(): number {
    return this.views.everybody.size
  }

  /** Number of members as this user sees it, also without a connection to this region. */
  sizeFor(userId: UserId): number {
    const isHiddenHere = this.members.get(userId)?.isGhost === true
    return this.views.ofGhost(userId)?.size ?? this.size + (isHiddenHere ? 1 : 0)
  }

  /** What this user sees of the roster as one in it. */
  viewOf(userId: UserId): RosterView {
    return this.views.of(userId)
  }

  /** What the viewer sees of the roster. */
  viewFor(viewer: PresenceViewer | null): RosterView {
    return this.views.for(viewer)
  }

  /** Ends views that are no longer needed, after the numbers of members were published. */
  closeUnneededViews(): void {
    this.views.closeUnneeded()
  }

  /** Users of this region with a view of their own. */
  ghostViewers(): UserId[] {
    return this.views.ghostOwners()
  }

  allViews(): Iterable<RosterView> {
    return this.views.all()
  }

  /** Whether the user is a member, ghosts included. */
  has(userId: UserId): boolean {
    return this.members.has(userId)
  }

  /** Whether the viewer sees the user here. */
  isShown(userId: UserId, viewer: PresenceViewer | null): boolean {
    const member = this.members.get(userId)
    if (!member?.isGhost || viewer?.userId === userId) return member !== undefined
    return this.listener.isSite === true && viewer?.role === 'rootadmin'
  }

  /** How long the viewer has seen the user here without a break, in milliseconds; null when not shown. */
  shownMs(userId: UserId, viewer: PresenceViewer | null): number | null {
    const member = this.members.get(userId)
    if (!member || !this.isShown(userId, viewer)) return null
    const since = viewer?.userId === userId ? member.since : Math.max(member.since, member.shownSince)
    return this.clock() - since
  }

  /** How long the user has been a member without a break, in milliseconds; null for others. */
  dwellMs(userId: UserId): number | null {
    const member = this.members.get(userId)
    return member ? this.clock() - member.since : null
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
    const person = { ...member.person, isOnline: member.connections.size > 0 }
    return { person, dwellMs: Math.max(0, this.clock() - member.since) }
  }

  /** Adds a connection. With `resumedSince` it continues an interrupted stay, or one that began then. */
  addConnection(connection: Connection, person: Person, resumedSince?: number): void {
    if (this.isGhost(person.id)) this.views.openForGhost(person.id)
    this.queueSnapshot(connection)
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
    this.views.queueSnapshot(connection)
  }

  /** Begins the view of a member of this region who is about to be hidden. */
  openViewFor(userId: UserId): void {
    const member = this.members.get(userId)
    if (member && isLocal(member)) this.views.openForGhost(userId)
  }

  /** A member was ghost-banned, or the ban has ended: others see them leave or enter, they themselves see no change. */
  setGhost(userId: UserId, isGhost: boolean): void {
    const member = this.members.get(userId)
    if (!member || member.isGhost === isGhost) return
    if (isGhost) this.openViewFor(userId)
    this.views.changeVisibility(userId, member, isGhost)
    if (!isGhost) member.shownSince = this.clock()
    if (isLocal(member)) this.listener.onLocalChange?.(userId)
  }

  /** Removes a connection; with the last one the member leaves, at once or after the grace period if it broke. */
  removeConnection(connection: Connection, userId: UserId, how: LeaveReason): void {
    this.views.removeConnection(connection)
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
    const isGhost = this.isGhost(person.id)
    if (isGhost) this.views.openForRootAdmins()
    this.views.markChanged(person.id, isGhost)
    const local = { connections: new Set<Connection>(), leaveTimer: null }
    const member = { person, isGhost, otherRegions: new Map(), since, shownSince: since, ...local }
    this.members.set(person.id, member)
    this.views.changeSize(person.id, isGhost, 1)
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
    if (isSameSummary(member.person, person)) return false
    this.views.markChanged(person.id, member.isGhost)
    member.person = { ...person, isOnline: member.person.isOnline }
    return true
  }

  /** A member is online while connected in any region. */
  private updateOnline(member: Member): void {
    const isOnline = member.connections.size > 0 || [...member.otherRegions.values()].includes(true)
    if (isOnline === member.person.isOnline) return
    this.views.markChanged(member.person.id, member.isGhost)
    member.person = { ...member.person, isOnline }
  }

  private endLocalStay(userId: UserId, member: Member, how: LeaveReason): void {
    member.leaveTimer = null
    if (member.otherRegions.size > 0) this.updateOnline(member)
    else this.removeMember(userId, member, how)
    this.views.depart(userId)
    this.listener.onLocalChange?.(userId, how)
  }

  /** Remembers the stay only if the connection broke; after a deliberate leave a new stay begins. */
  private removeMember(userId: UserId, member: Member, how: LeaveReason): void {
    this.views.markChanged(userId, member.isGhost)
    this.members.delete(userId)
    this.views.changeSize(userId, member.isGhost, -1)
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
