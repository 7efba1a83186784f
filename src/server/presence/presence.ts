import type { Person, UserSummary } from '../../shared/accounts/protocol.ts'
import type { PeopleFilter } from '../../shared/presence/rules.ts'
import type { RoomId, SessionId, UserId } from '../../shared/protocol/ids.ts'
import { siteStream } from '../database/streams.ts'
import { type Connection, isOpen, type OpenConnection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import { roomStream } from '../rooms/streams.ts'
import { PresenceSync } from './presence-sync.ts'
import { type LeaveReason, Roster, type RosterListener, type UserCounts } from './roster.ts'
import { presenceStreamFor, rootAdminStream, visitorStream } from './streams.ts'

/** Counts go out at most this often. */
const COUNT_INTERVAL_MS = 1_000
/** After a start nobody's stay is known: for this long a resume is believed to go on with one. */
const START_TRUST_MS = 2 * 60_000
/** Such a stay counts as one of so long. */
const ASSUMED_STAY_MS = 24 * 60 * 60_000

/** Who is on the site and in which room, in all regions that can be reached. */
export class Presence {
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly site: Roster
  private readonly rooms = new Map<RoomId, Roster>()
  /** Those of this region. */
  private readonly connectionsByUser = new Map<UserId, Set<Connection>>()
  private readonly sync: PresenceSync
  private remoteListener: (userId: UserId, region: string) => void = () => {}
  private readonly publishedCounts = new Map<RoomId, number>()
  private publishedSiteCount = 0
  private readonly startedAt: number
  private readonly countTimer: NodeJS.Timeout

  /** @param clock milliseconds that go forward only: durations are measured by it, and nothing else */
  constructor(publisher: Publisher, clock: () => number, bus: PeerBus) {
    this.publisher = publisher
    this.clock = clock
    this.startedAt = clock()
    const isIn = (roomId: RoomId, userId: UserId) => this.isIn(roomId, userId)
    this.site = new Roster({ ...siteListener(publisher, isIn), onLocalChange: this.changedHere(null) }, clock)
    const changedElsewhere = (userId: UserId, region: string) => {
      if (this.connectionsByUser.has(userId)) this.remoteListener(userId, region)
    }
    this.sync = new PresenceSync(
      bus,
      { site: this.site, room: (id) => this.roster(id), onRemoteChange: changedElsewhere },
      clock,
    )
    this.countTimer = setInterval(() => this.publishCounts(), COUNT_INTERVAL_MS)
    this.countTimer.unref()
  }

  /** People on the site. */
  get onlineCount(): number {
    return this.site.size
  }

  /** How many are on the site, or in a room, and of what kind. */
  counts(roomId: RoomId | null): UserCounts {
    return roomId === null ? this.site.counts() : this.roster(roomId).counts()
  }

  /** Whoever is connected to this region. */
  onlineUserIds(): UserId[] {
    return [...this.connectionsByUser.keys()]
  }

  /** The sessions by which they are. */
  onlineSessionIds(): SessionId[] {
    const connections = [...this.connectionsByUser.values()].flatMap((own) => [...own])
    return [...new Set(connections.flatMap(({ identity }) => identity?.viewer.sessionId ?? []))]
  }

  isOnline(userId: UserId): boolean {
    return this.site.isOnline(userId)
  }

  /** For how long this person has been online without a break, in milliseconds; null when they are not. */
  onlineMs(userId: UserId): number | null {
    return this.site.isOnline(userId) ? this.site.dwellMs(userId) : null
  }

  /** The other regions in which this person is connected. */
  otherRegionsOf(userId: UserId): string[] {
    return this.site.otherRegionsOf(userId)
  }

  /** Calls `listener` when somebody who is connected to this region comes online in another one, or goes there. */
  onRemoteChange(listener: (userId: UserId, region: string) => void): void {
    this.remoteListener = listener
  }

  /** This person's live connections to this region, the oldest first. */
  connectionsOf(userId: UserId): OpenConnection[] {
    return [...(this.connectionsByUser.get(userId) ?? [])].filter(isOpen)
  }

  /** This person's other live connections to this region. */
  otherConnectionsOf(connection: Connection): OpenConnection[] {
    const userId = connection.identity?.viewer.userId
    return userId === undefined ? [] : this.connectionsOf(userId).filter((other) => other !== connection)
  }

  /** How many people a room has. */
  roomCount(roomId: RoomId): number {
    return this.rooms.get(roomId)?.size ?? 0
  }

  isIn(roomId: RoomId, userId: UserId): boolean {
    return this.rooms.get(roomId)?.has(userId) ?? false
  }

  /** How long this person has been in the room, as regions measured it; null when not in it. */
  roomDwellMs(roomId: RoomId, userId: UserId): number | null {
    return this.rooms.get(roomId)?.dwellMs(userId) ?? null
  }

  /** Who is in a room once this person has entered: what the page shows on which they do. */
  withUser(roomId: RoomId, person: Person): { users: Person[]; total: number } {
    return this.rooms.get(roomId)?.withUser(person) ?? { users: [person], total: 1 }
  }

  /** A page of the people in a room by name, after the given name. */
  listRoom(roomId: RoomId, after?: string): Person[] {
    return this.rooms.get(roomId)?.page(after) ?? []
  }

  /** A page of the people in a room whom the filter lets through, and how many those are. */
  searchRoom(roomId: RoomId, filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    return this.rooms.get(roomId)?.search(filter, after) ?? { users: [], total: 0 }
  }

  /** A connection said hello. */
  addConnection(connection: Connection): void {
    if (!isOpen(connection)) return
    const { identity } = connection.state
    const { userId, role } = identity.viewer
    const all = this.connectionsByUser.get(userId)
    if (all) all.add(connection)
    else this.connectionsByUser.set(userId, new Set([connection]))
    this.site.addConnection(connection, identity.person)
    if (role !== 'rootadmin') this.sendCount(connection)
  }

  /** A connection ended, by log-out or by a broken line. */
  removeConnection(connection: Connection, how: LeaveReason): void {
    const userId = connection.identity?.viewer.userId
    if (userId === undefined) return
    this.leaveRoom(connection, how)
    const all = this.connectionsByUser.get(userId)
    all?.delete(connection)
    if (all?.size === 0) this.connectionsByUser.delete(userId)
    this.site.removeConnection(connection, userId, how)
  }

  /** The connection enters a room; with `resumed`, it goes on with a stay that a broken line interrupted. */
  enterRoom(connection: Connection, roomId: RoomId, resumed = false): void {
    if (!isOpen(connection)) return
    const { state } = connection
    if (state.roomId !== roomId) this.leaveRoom(connection, 'left')
    state.roomId = roomId
    this.roster(roomId).addConnection(connection, state.identity.person, resumed ? this.assumedStayStart() : undefined)
  }

  /**
   * Somebody is shown in another way from now on, or has another role: their connections to this region are that
   * person's, and every place that they are in tells so. `seq` is that of the event which said so.
   */
  updateUser(face: UserSummary, seq: number): void {
    for (const connection of this.connectionsOf(face.id)) {
      const { identity } = connection.state
      const { role } = identity.viewer
      identity.person = { ...identity.person, ...face }
      identity.viewer = { ...identity.viewer, role: face.role }
      if (presenceStreamFor(role) === presenceStreamFor(face.role)) continue
      this.publisher.unsubscribe(connection, presenceStreamFor(role))
      this.publisher.subscribe(connection, presenceStreamFor(face.role), seq)
      if (face.role === 'rootadmin') this.site.queueSnapshot(connection)
      else this.sendCount(connection)
    }
    for (const roster of [this.site, ...this.rooms.values()]) roster.updateUser(face)
  }

  close(): void {
    clearInterval(this.countTimer)
    this.sync.close()
  }

  private sendCount(connection: Connection): void {
    this.publisher.enqueue(connection, encodeEphemeral('activeUsersCount', { count: this.onlineCount }))
  }

  private leaveRoom(connection: Connection, how: LeaveReason): void {
    const { lastOpen } = connection
    if (!lastOpen || lastOpen.roomId === null) return
    const { roomId, identity } = lastOpen
    lastOpen.roomId = null
    this.rooms.get(roomId)?.removeConnection(connection, identity.viewer.userId, how)
  }

  private roster(roomId: RoomId): Roster {
    const known = this.rooms.get(roomId)
    if (known) return known
    const listener = { ...roomListener(this.publisher, roomId), onLocalChange: this.changedHere(roomId) }
    const roster = new Roster(listener, this.clock)
    this.rooms.set(roomId, roster)
    return roster
  }

  private changedHere(roomId: RoomId | null): (userId: UserId, ended?: LeaveReason) => void {
    return (userId, ended) => this.sync.queueLocalChange(userId, roomId, ended)
  }

  private assumedStayStart(): number {
    const now = this.clock()
    return now - this.startedAt < START_TRUST_MS ? now - ASSUMED_STAY_MS : now
  }

  private publishCounts(): void {
    for (const [roomId, roster] of this.rooms) {
      if ((this.publishedCounts.get(roomId) ?? 0) !== roster.size) {
        this.publishedCounts.set(roomId, roster.size)
        this.publisher.publishEphemeral(siteStream, 'roomUserCountUpdate', { roomId, activeUsers: roster.size })
      }
    }
    if (this.publishedSiteCount !== this.onlineCount) {
      this.publishedSiteCount = this.onlineCount
      this.publisher.publishEphemeral(visitorStream, 'activeUsersCount', { count: this.onlineCount })
    }
  }
}

function roomListener(publisher: Publisher, roomId: RoomId): RosterListener {
  const stream = roomStream(roomId)
  return {
    onJoin: (user) => publisher.publishEphemeral(stream, 'user-joined', { roomId, user }),
    onLeave: ({ username }) => publisher.publishEphemeral(stream, 'user-left', { roomId, username }),
    onOnlineChange: ({ username, isOnline }) =>
      publisher.publishEphemeral(stream, 'userStatusChanged', { username, isOnline }),
    onUpdate: (user) => publisher.publishEphemeral(stream, 'userUpdated', { user }),
    sendSnapshot: (to, roster) => {
      const users = roster.page()
      const snapshot = encodeEphemeral('users-in-room', { roomId, users, total: roster.size })
      const names = users.map(({ id, username }) => ({ id, username }))
      const forMention = encodeEphemeral('activeUsersForMention', { roomId, users: names })
      for (const connection of to === 'everyone' ? publisher.subscribers(stream) : to) {
        publisher.enqueue(connection, snapshot)
        if (connection.identity?.viewer.role !== 'rootadmin') publisher.enqueue(connection, forMention)
      }
    },
  }
}

function siteListener(publisher: Publisher, isIn: (roomId: RoomId, userId: UserId) => boolean): RosterListener {
  return {
    onJoin: (user) => publisher.publishEphemeral(rootAdminStream, 'userJoined', { user }),
    onLeave: ({ username }) => publisher.publishEphemeral(rootAdminStream, 'userLeft', { username }),
    onOnlineChange: () => {}, // told where the person is seen: in the room
    onUpdate: (user) => {
      const value = encodeEphemeral('userUpdated', { user })
      for (const connection of publisher.subscribers(rootAdminStream)) {
        // Whoever is in a room with them hears it there.
        const hearsInRoom = connection.roomId !== null && isIn(connection.roomId, user.id)
        if (!hearsInRoom) publisher.enqueue(connection, value)
      }
    },
    sendSnapshot: (to, roster) => {
      const listeners = [...(to === 'everyone' ? publisher.subscribers(rootAdminStream) : to)].filter(isRootAdmin)
      if (listeners.length === 0) return
      const value = encodeEphemeral('activeUsers', { users: roster.page(), count: roster.size })
      for (const connection of listeners) publisher.enqueue(connection, value)
    },
  }
}

function isRootAdmin(connection: Connection): boolean {
  return connection.identity?.viewer.role === 'rootadmin'
}
