import type { Person, UserSummary } from '../../../shared/accounts/protocol.ts'
import type { PeopleFilter } from '../../../shared/presence/rules.ts'
import type { RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { RoomCount } from '../../../shared/rooms/protocol.ts'
import { type Connection, isOpen, type OpenConnection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import { GhostUsers } from './ghost-users.ts'
import { PresenceSync } from './presence-sync.ts'
import { RoomCounts } from './room-counts.ts'
import type { LeaveReason } from './roster.ts'
import { Rosters } from './rosters.ts'
import { presenceStreamFor, visitorStream } from './streams.ts'
import type { UserCounts } from './user-counts.ts'

/** Counts are published at most this often. */
const COUNT_INTERVAL_MS = 1_000
/** After a start the stays before it are unknown; within this time a resume counts as continuing one. */
const START_TRUST_MS = 2 * 60_000
/** The assumed length of such a stay. */
const ASSUMED_STAY_MS = 24 * 60 * 60_000

/** Who is on the site and in which room, in all reachable regions. */
export class Presence {
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly rosters: Rosters
  /** Connections of this region. */
  private readonly connectionsByUser = new Map<UserId, Set<Connection>>()
  private readonly ghosts: GhostUsers
  private readonly sync: PresenceSync
  private remoteListener: (userId: UserId, region: string) => void = () => {}
  private roomCountListener: (roomId: RoomId, count: number) => void = () => {}
  /** User counts of rooms, for connections that watch them. */
  readonly roomCounts: RoomCounts
  private publishedRevision = 0
  private readonly startedAt: number
  private readonly countTimer: NodeJS.Timeout

  /** @param clock a monotonic clock in milliseconds, used for durations only */
  constructor(publisher: Publisher, clock: () => number, bus: PeerBus) {
    this.publisher = publisher
    this.clock = clock
    this.startedAt = clock()
    this.roomCounts = new RoomCounts({
      publisher,
      connectionsOf: (userId) => this.connectionsOf(userId),
      ownCounts: (viewer) => this.ownRoomCounts(viewer),
    })
    this.ghosts = new GhostUsers((userId, isGhost) => {
      for (const { state } of this.connectionsOf(userId)) state.identity.viewer = { ...state.identity.viewer, isGhost }
      for (const roster of this.rosters.all()) roster.setGhost(userId, isGhost)
    })
    this.rosters = new Rosters({
      ...{ publisher, ghosts: this.ghosts, roomCounts: this.roomCounts, clock },
      onLocalChange: (userId, roomId, ended) => this.sync.queueLocalChange(userId, roomId, ended),
      onRoomCountChange: (roomId, count) => this.roomCountListener(roomId, count),
    })
    const onRemoteChange = (userId: UserId, region: string) => {
      if (this.connectionsByUser.has(userId)) this.remoteListener(userId, region)
    }
    const rosters = { site: this.rosters.site, room: (id: RoomId) => this.rosters.room(id), ghosts: this.ghosts }
    this.sync = new PresenceSync(bus, { ...rosters, onRemoteChange }, clock)
    this.countTimer = setInterval(() => this.publishCounts(), COUNT_INTERVAL_MS)
    this.countTimer.unref()
  }

  /** Number of users on the site, as the viewer sees it. */
  onlineCount(viewer: PresenceViewer | null): number {
    return this.rosters.site.sizeFor(viewer)
  }

  /** Counts by kind, of a room or of the site (`roomId` null), as the viewer sees them. */
  counts(roomId: RoomId | null, viewer: PresenceViewer | null): UserCounts {
    return (roomId === null ? this.rosters.site : this.rosters.room(roomId)).counts(viewer)
  }

  /** Users connected to this region. */
  onlineUserIds(): UserId[] {
    return [...this.connectionsByUser.keys()]
  }

  /** Sessions connected to this region. */
  onlineSessionIds(): SessionId[] {
    const connections = [...this.connectionsByUser.values()].flatMap((connections) => [...connections])
    return [...new Set(connections.flatMap(({ identity }) => identity?.viewer.sessionId ?? []))]
  }

  /** Whether the user has an open connection in any region, ghosts included; not for display. */
  isConnected(userId: UserId): boolean {
    return this.rosters.site.isOnline(userId)
  }

  /** Whether the viewer sees the user online. */
  isOnline(userId: UserId, viewer: PresenceViewer | null): boolean {
    return this.rosters.site.isOnline(userId) && this.rosters.site.isShown(userId, viewer)
  }

  /** How long the user has been online without a break, in milliseconds; null when the viewer sees the user offline. */
  onlineMs(userId: UserId, viewer: PresenceViewer | null): number | null {
    return this.isOnline(userId, viewer) ? this.rosters.site.dwellMs(userId) : null
  }

  /** Whether the user is ghost-banned: present for themselves alone, and on the site for root admins. */
  isGhost(userId: UserId): boolean {
    return this.ghosts.has(userId)
  }

  hasGhosts(): boolean {
    return this.ghosts.size > 0
  }

  /** The log or the row of a user says that the user is ghost-banned, or is no longer. */
  setGhost(userId: UserId, isGhost: boolean): void {
    this.ghosts.setLogged(userId, isGhost)
  }

  /** As `setGhost`, for all users, by the rows. */
  replaceGhosts(userIds: readonly UserId[]): void {
    this.ghosts.replaceLogged(userIds)
  }

  /** Other regions to which the user is connected. */
  otherRegionsOf(userId: UserId): string[] {
    return this.rosters.site.otherRegionsOf(userId)
  }

  /** Calls `listener` when a user of this region comes online in another one or leaves it. */
  onRemoteChange(listener: (userId: UserId, region: string) => void): void {
    this.remoteListener = listener
  }

  /** Calls `listener` with every change of a room's user count. */
  onRoomCountChange(listener: (roomId: RoomId, count: number) => void): void {
    this.roomCountListener = listener
  }

  /** The user's open connections to this region, oldest first. */
  connectionsOf(userId: UserId): OpenConnection[] {
    return [...(this.connectionsByUser.get(userId) ?? [])].filter(isOpen)
  }

  /** The other open connections of the same user to this region, oldest first. */
  otherConnectionsOf(connection: Connection): OpenConnection[] {
    const userId = connection.identity?.viewer.userId
    return userId === undefined ? [] : this.connectionsOf(userId).filter((other) => other !== connection)
  }

  /** Number of users in a room, as the viewer sees it. */
  roomCount(roomId: RoomId, viewer: PresenceViewer | null): number {
    return this.rosters.find(roomId)?.sizeFor(viewer) ?? 0
  }

  /** The rooms whose count is another one for the viewer than for everybody; none but for ghost-banned users. */
  ownRoomCounts(viewer: PresenceViewer | null): RoomCount[] {
    if (!viewer || !this.ghosts.has(viewer.userId)) return []
    return [...this.rosters.ofRooms()].flatMap(([roomId, roster]) =>
      roster.isGhostHere(viewer) ? [{ roomId, activeUsers: roster.sizeFor(viewer) }] : [],
    )
  }

  /** Whether the viewer sees the user in the room. Root admins see in rooms what everybody sees. */
  isIn(roomId: RoomId, userId: UserId, viewer: PresenceViewer | null): boolean {
    return this.rosters.find(roomId)?.isShown(userId, viewer) ?? false
  }

  /** Whether the user is in the room, ghosts included; not for display. */
  isMember(roomId: RoomId, userId: UserId): boolean {
    return this.rosters.find(roomId)?.has(userId) ?? false
  }

  /** How long the user has been in the room, across regions, in milliseconds; null when not in it. For the user's own limits. */
  roomDwellMs(roomId: RoomId, userId: UserId): number | null {
    return this.rosters.find(roomId)?.dwellMs(userId) ?? null
  }

  /** First page and total of a room as they are once the person has entered, for the page that enters it. */
  withUser(roomId: RoomId, person: Person): { users: Person[]; total: number } {
    return this.rosters.find(roomId)?.withUser(person) ?? { users: [person], total: 1 }
  }

  /** A page of the users in a room by name, after the given name, as the viewer sees them. */
  listRoom(roomId: RoomId, viewer: PresenceViewer | null, after?: string): Person[] {
    return this.rosters.find(roomId)?.page(viewer, after) ?? []
  }

  /** The first users of a room by name, as everybody sees them, and how many: only those who are connected at present. */
  connectedIn(roomId: RoomId): { users: Person[]; total: number } {
    return this.rosters.find(roomId)?.connected() ?? { users: [], total: 0 }
  }

  /** A page of the matching users in a room, and their total, as the viewer sees them. */
  searchRoom(
    roomId: RoomId,
    viewer: PresenceViewer | null,
    filter: PeopleFilter,
    after?: string,
  ): { users: Person[]; total: number } {
    return this.rosters.find(roomId)?.search(viewer, filter, after) ?? { users: [], total: 0 }
  }

  /** Called after an accepted hello. */
  addConnection(connection: Connection): void {
    if (!isOpen(connection)) return
    const { identity } = connection.state
    const { userId, role } = identity.viewer
    // The row may be ahead of the published log, and another region ahead of both.
    if (identity.viewer.isGhost) this.setGhost(userId, true)
    identity.viewer.isGhost = this.ghosts.has(userId)
    const connections = this.connectionsByUser.get(userId)
    if (connections) connections.add(connection)
    else this.connectionsByUser.set(userId, new Set([connection]))
    this.rosters.site.addConnection(connection, identity.person)
    if (role !== 'rootadmin') this.sendCount(connection)
  }

  /** Called when a connection closed, by log-out or because it broke. */
  removeConnection(connection: Connection, how: LeaveReason): void {
    const userId = connection.identity?.viewer.userId
    if (userId === undefined) return
    this.leaveRoom(connection, how)
    const connections = this.connectionsByUser.get(userId)
    connections?.delete(connection)
    if (connections?.size === 0) this.connectionsByUser.delete(userId)
    this.rosters.site.removeConnection(connection, userId, how)
  }

  /** The connection enters a room; with `resumed` it continues an interrupted stay. */
  enterRoom(connection: Connection, roomId: RoomId, resumed = false): void {
    if (!isOpen(connection)) return
    const { state } = connection
    if (state.roomId !== roomId) this.leaveRoom(connection, 'left')
    state.roomId = roomId
    this.rosters
      .room(roomId)
      .addConnection(connection, state.identity.person, resumed ? this.assumedStayStart() : undefined)
  }

  /** Takes the connections of a user out of a room; their users leave it for good. */
  removeFromRoom(roomId: RoomId, userId: UserId): void {
    for (const connection of this.connectionsOf(userId))
      if (connection.roomId === roomId) this.leaveRoom(connection, 'left')
  }

  /**
   * Applies a changed user summary to the user's connections and rosters; a changed role also changes the presence
   * stream. `seq` is that of the userProfileUpdated event.
   */
  updateUser(user: UserSummary, seq: number): void {
    for (const connection of this.connectionsOf(user.id)) {
      const { identity } = connection.state
      const { role } = identity.viewer
      identity.person = { ...identity.person, ...user }
      identity.viewer = { ...identity.viewer, role: user.role }
      if (presenceStreamFor(role) === presenceStreamFor(user.role)) continue
      this.publisher.unsubscribe(connection, presenceStreamFor(role))
      this.publisher.subscribe(connection, presenceStreamFor(user.role), seq)
      if (user.role === 'rootadmin') this.rosters.site.queueSnapshot(connection)
      else this.sendCount(connection)
    }
    for (const roster of this.rosters.all()) roster.updateUser(user)
  }

  close(): void {
    clearInterval(this.countTimer)
    this.sync.close()
  }

  private sendCount(connection: Connection): void {
    const count = this.onlineCount(connection.identity?.viewer ?? null)
    this.publisher.enqueue(connection, encodeEphemeral('activeUsersCount', { count }))
  }

  /** The connection leaves its room, if it is in one. */
  leaveRoom(connection: Connection, how: LeaveReason): void {
    const { lastOpen } = connection
    if (!lastOpen || lastOpen.roomId === null) return
    const { roomId, identity } = lastOpen
    lastOpen.roomId = null
    this.rosters.find(roomId)?.removeConnection(connection, identity.viewer.userId, how)
  }

  private assumedStayStart(): number {
    const now = this.clock()
    return now - this.startedAt < START_TRUST_MS ? now - ASSUMED_STAY_MS : now
  }

  private publishCounts(): void {
    this.roomCounts.publishChanges()
    const { site } = this.rosters
    if (site.revision === this.publishedRevision) return
    this.publishedRevision = site.revision
    const payload = { count: site.size }
    this.publisher.publishEphemeral(visitorStream, 'activeUsersCount', payload, (viewer) =>
      viewer.isGhost ? { count: site.sizeFor(viewer) } : payload,
    )
  }
}
