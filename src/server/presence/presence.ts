import type { Face, Person, Role } from '../../shared/accounts/protocol.ts'
import type { PeopleFilter } from '../../shared/presence/rules.ts'
import type { Connection } from '../live/connection.ts'
import { encodeMoment, type Publisher } from '../live/publish.ts'
import type { Bus } from '../regions/bus.ts'
import { Exchange } from './exchange.ts'
import { type Ending, Roster, type RosterVoice, type Tally } from './roster.ts'

/** Counts go out at most this often. */
const COUNT_MS = 1_000
/** After a start nobody's stay is known: for this long a resume is believed to go on with one. */
const START_TRUST_MS = 2 * 60_000
/** Such a stay counts as one of so long. */
const LONG_STAY_MS = 24 * 60 * 60_000

/** Who is on the site and in which room, in all regions that can be reached. */
export class Presence {
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly site: Roster
  private readonly rooms = new Map<number, Roster>()
  /** Those of this region. */
  private readonly connectionsByUser = new Map<number, Set<Connection>>()
  private readonly exchange: Exchange
  private tellElsewhere: (userId: number, region: string) => void = () => {}
  private readonly toldCounts = new Map<number, number>()
  private toldSiteCount = 0
  private readonly startedAt: number
  private readonly counting: NodeJS.Timeout

  /** @param clock milliseconds that go forward only: durations are measured by it, and nothing else */
  constructor(publisher: Publisher, clock: () => number, bus: Bus) {
    this.publisher = publisher
    this.clock = clock
    this.startedAt = clock()
    const isIn = (roomId: number, userId: number) => this.isIn(roomId, userId)
    this.site = new Roster({ ...siteVoice(publisher, isIn), changedHere: this.changedHere(null) }, clock)
    const changedElsewhere = (userId: number, region: string) => {
      if (this.connectionsByUser.has(userId)) this.tellElsewhere(userId, region)
    }
    this.exchange = new Exchange(bus, { site: this.site, room: (id) => this.roster(id), changedElsewhere }, clock)
    this.counting = setInterval(() => this.tellCounts(), COUNT_MS)
    this.counting.unref()
  }

  /** People on the site. */
  get onlineCount(): number {
    return this.site.size
  }

  /** How many are on the site, or in a room, and of what kind. */
  tally(roomId: number | null): Tally {
    return roomId === null ? this.site.tally() : this.roster(roomId).tally()
  }

  /** Whoever is connected to this region. */
  onlineUserIds(): number[] {
    return [...this.connectionsByUser.keys()]
  }

  /** The sessions by which they are. */
  onlineSessionIds(): number[] {
    const connections = [...this.connectionsByUser.values()].flatMap((own) => [...own])
    return [...new Set(connections.flatMap(({ identity }) => identity?.viewer.sessionId ?? []))]
  }

  isOnline(userId: number): boolean {
    return this.site.isOnline(userId)
  }

  /** For how long this person has been online without a break, in milliseconds; null when they are not. */
  onlineFor(userId: number): number | null {
    return this.site.isOnline(userId) ? this.site.hereFor(userId) : null
  }

  /** The other regions in which this person is connected. */
  onlineElsewhere(userId: number): string[] {
    return this.site.onlineElsewhere(userId)
  }

  /** Calls `listener` when somebody who is connected to this region comes online in another one, or goes there. */
  onElsewhere(listener: (userId: number, region: string) => void): void {
    this.tellElsewhere = listener
  }

  /** This person's live connections to this region, the oldest first. */
  connectionsOf(userId: number): Connection[] {
    return [...(this.connectionsByUser.get(userId) ?? [])].filter(({ closed }) => !closed)
  }

  /** This person's other live connections to this region. */
  othersOf(connection: Connection): Connection[] {
    const userId = connection.identity?.viewer.userId
    return userId === undefined ? [] : this.connectionsOf(userId).filter((other) => other !== connection)
  }

  /** How many people a room has. */
  countIn(roomId: number): number {
    return this.rooms.get(roomId)?.size ?? 0
  }

  isIn(roomId: number, userId: number): boolean {
    return this.rooms.get(roomId)?.has(userId) ?? false
  }

  /** How long this person has been in the room, as regions measured it; null when not in it. */
  inRoomFor(roomId: number, userId: number): number | null {
    return this.rooms.get(roomId)?.hereFor(userId) ?? null
  }

  /** Who is in a room once this person has entered: what the page shows on which they do. */
  including(roomId: number, person: Person): { users: Person[]; total: number } {
    return this.rooms.get(roomId)?.including(person) ?? { users: [person], total: 1 }
  }

  /** A page of the people in a room by name, after the given name. */
  pageOf(roomId: number, after?: string): Person[] {
    return this.rooms.get(roomId)?.page(after) ?? []
  }

  /** A page of the people in a room whom the filter lets through, and how many those are. */
  findIn(roomId: number, filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    return this.rooms.get(roomId)?.find(filter, after) ?? { users: [], total: 0 }
  }

  /** A connection said hello. */
  arrive(connection: Connection): void {
    const { identity } = connection
    if (!identity) return
    const { userId, role } = identity.viewer
    const all = this.connectionsByUser.get(userId)
    if (all) all.add(connection)
    else this.connectionsByUser.set(userId, new Set([connection]))
    this.site.add(connection, identity.person)
    if (role !== 'rootadmin') this.tellCount(connection)
  }

  /** A connection ended, by log-out or by a broken line. */
  depart(connection: Connection, how: Ending): void {
    const userId = connection.identity?.viewer.userId
    if (userId === undefined) return
    this.leaveRoom(connection, how)
    const all = this.connectionsByUser.get(userId)
    all?.delete(connection)
    if (all?.size === 0) this.connectionsByUser.delete(userId)
    this.site.remove(connection, userId, how)
  }

  /** The connection enters a room; with `resumed`, it goes on with a stay that a broken line interrupted. */
  enterRoom(connection: Connection, roomId: number, resumed = false): void {
    const { identity } = connection
    if (!identity) return
    if (connection.roomId !== roomId) this.leaveRoom(connection, 'left')
    connection.roomId = roomId
    this.roster(roomId).add(connection, identity.person, resumed ? this.resumedSince() : undefined)
  }

  /**
   * Somebody is shown in another way from now on, or has another role: their connections to this region are that
   * person's, and every place that they are in tells so. `seq` is that of the event which said so.
   */
  renew(face: Face, seq: number): void {
    for (const connection of this.connectionsOf(face.id)) {
      const { identity } = connection
      if (!identity) continue
      const { role } = identity.viewer
      identity.person = { ...identity.person, ...face }
      identity.viewer = { ...identity.viewer, role: face.role }
      if (crowdOf(role) === crowdOf(face.role)) continue
      this.publisher.unsubscribe(connection, crowdOf(role))
      this.publisher.subscribe(connection, crowdOf(face.role), seq)
      if (face.role === 'rootadmin') this.site.introduce(connection)
      else this.tellCount(connection)
    }
    for (const roster of [this.site, ...this.rooms.values()]) roster.renewFace(face)
  }

  close(): void {
    clearInterval(this.counting)
    this.exchange.close()
  }

  private tellCount(connection: Connection): void {
    this.publisher.push(connection, encodeMoment('activeUsersCount', { count: this.onlineCount }))
  }

  private leaveRoom(connection: Connection, how: Ending): void {
    const { roomId, identity } = connection
    if (roomId === null || !identity) return
    connection.roomId = null
    this.rooms.get(roomId)?.remove(connection, identity.viewer.userId, how)
  }

  private roster(roomId: number): Roster {
    const known = this.rooms.get(roomId)
    if (known) return known
    const voice = { ...roomVoice(this.publisher, roomId), changedHere: this.changedHere(roomId) }
    const roster = new Roster(voice, this.clock)
    this.rooms.set(roomId, roster)
    return roster
  }

  private changedHere(roomId: number | null): (userId: number, ended?: Ending) => void {
    return (userId, ended) => this.exchange.changedHere(userId, roomId, ended)
  }

  private resumedSince(): number {
    const now = this.clock()
    return now - this.startedAt < START_TRUST_MS ? now - LONG_STAY_MS : now
  }

  private tellCounts(): void {
    for (const [roomId, roster] of this.rooms) {
      if ((this.toldCounts.get(roomId) ?? 0) !== roster.size) {
        this.toldCounts.set(roomId, roster.size)
        this.publisher.moment('all', 'roomUserCountUpdate', { roomId, activeUsers: roster.size })
      }
    }
    if (this.toldSiteCount !== this.onlineCount) {
      this.toldSiteCount = this.onlineCount
      this.publisher.moment('visitors', 'activeUsersCount', { count: this.onlineCount })
    }
  }
}

/** The stream that tells who is on the site: to root admins by name, to others as a number. */
export function crowdOf(role: Role): 'admins' | 'visitors' {
  return role === 'rootadmin' ? 'admins' : 'visitors'
}

function roomVoice(publisher: Publisher, roomId: number): RosterVoice {
  const stream = `room:${roomId}`
  return {
    joined: (user) => publisher.moment(stream, 'user-joined', { roomId, user }),
    left: ({ username }) => publisher.moment(stream, 'user-left', { roomId, username }),
    status: ({ username, isOnline }) => publisher.moment(stream, 'userStatusChanged', { username, isOnline }),
    updated: (user) => publisher.moment(stream, 'userUpdated', { user }),
    snapshot: (to, roster) => {
      const users = roster.page()
      const snapshot = encodeMoment('users-in-room', { roomId, users, total: roster.size })
      const names = users.map(({ id, username }) => ({ id, username }))
      const forMention = encodeMoment('activeUsersForMention', { roomId, users: names })
      for (const connection of to === 'everyone' ? publisher.listeners(stream) : to) {
        publisher.push(connection, snapshot)
        if (connection.identity?.viewer.role !== 'rootadmin') publisher.push(connection, forMention)
      }
    },
  }
}

function siteVoice(publisher: Publisher, isIn: (roomId: number, userId: number) => boolean): RosterVoice {
  return {
    joined: (user) => publisher.moment('admins', 'userJoined', { user }),
    left: ({ username }) => publisher.moment('admins', 'userLeft', { username }),
    status: () => {}, // told where the person is seen: in the room
    updated: (user) => {
      const value = encodeMoment('userUpdated', { user })
      for (const connection of publisher.listeners('admins')) {
        // Whoever is in a room with them hears it there.
        const hearsInRoom = connection.roomId !== null && isIn(connection.roomId, user.id)
        if (!hearsInRoom) publisher.push(connection, value)
      }
    },
    snapshot: (to, roster) => {
      const listeners = [...(to === 'everyone' ? publisher.listeners('admins') : to)].filter(isRootAdmin)
      if (listeners.length === 0) return
      const value = encodeMoment('activeUsers', { users: roster.page(), count: roster.size })
      for (const connection of listeners) publisher.push(connection, value)
    },
  }
}

function isRootAdmin(connection: Connection): boolean {
  return connection.identity?.viewer.role === 'rootadmin'
}
