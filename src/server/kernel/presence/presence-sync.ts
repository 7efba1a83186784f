import * as v from 'valibot'
import { Person } from '../../../shared/accounts/protocol.ts'
import { Count, Id } from '../../../shared/protocol/define.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import type { GhostUsers } from './ghost-users.ts'
import type { LeaveReason, Roster } from './roster.ts'

/** Changes are collected for this long into one message to all regions. */
const SYNC_WINDOW_MS = 100
/** Users per message: with the maximum of rooms each they fit into a frame of the link (1 MiB). */
const USERS_PER_MESSAGE = 500
/** Rooms per user: more than the connections of a user can be in, including broken ones. */
const MAX_ROOMS_PER_USER = 32
/** Users that a region keeps of each other region. */
const MAX_USERS_PER_REGION = 200_000
/** Minimum interval between resync requests to a region. */
const RESYNC_RETRY_MS = 5_000

const UPDATE_TOPIC = 'presence.update'
const RESYNC_TOPIC = 'presence.resync'

/** The whole presence of a user in a region: rooms that are not listed have ended. */
const UserPresence = v.object({
  id: Id,
  /** Null when the user is no longer in that region. */
  user: v.nullable(Person),
  rooms: v.pipe(
    v.array(v.object({ roomId: Id, isOnline: v.boolean(), hereForMs: v.pipe(v.number(), v.finite(), v.minValue(0)) })),
    v.maxLength(MAX_ROOMS_PER_USER),
  ),
  /** Rooms left by a broken connection, in which a resume may continue the stay. */
  broken: v.pipe(v.array(Id), v.maxLength(MAX_ROOMS_PER_USER)),
  /** Ghost-banned, by the log of that region. */
  isGhost: v.optional(v.boolean()),
})
type UserPresence = v.InferOutput<typeof UserPresence>

const SyncMessage = v.object({
  /** The number of this message; consecutive within a region. */
  at: Count,
  /** Validated one by one, so that a user in a newer format does not drop the others. */
  people: v.pipe(v.array(v.unknown()), v.maxLength(USERS_PER_MESSAGE)),
  /** Part of the region's complete state: a user in no part is absent. */
  whole: v.optional(v.picklist(['first', 'more', 'last', 'only'])),
})
type SyncMessage = v.InferOutput<typeof SyncMessage>

/** The rosters of this region. */
export interface Rosters {
  site: Roster
  room(roomId: RoomId): Roster
  ghosts: GhostUsers
  /** Called when the user came online in another region or left it. */
  onRemoteChange(userId: UserId, region: string): void
}

interface RemoteRegion {
  /** Number of the last message applied; null until a snapshot arrived. */
  lastMessageNumber: number | null
  /** Its users and their rooms there. */
  roomsByUser: Map<UserId, Set<RoomId>>
  /** While a snapshot arrives: known users that it has not contained yet. */
  unconfirmed: Set<UserId>
  resyncRequestedAt: number
}

/** Sends the presence of this region to the others and applies theirs. */
export class PresenceSync {
  private readonly bus: PeerBus
  private readonly rosters: Rosters
  private readonly clock: () => number
  /** Users of this region and their rooms. */
  private readonly localUsers = new Map<UserId, Set<RoomId>>()
  /** Users changed since the last message, with the rooms left by a broken connection. */
  private readonly pendingChanges = new Map<UserId, Set<RoomId>>()
  private readonly remoteRegions = new Map<string, RemoteRegion>()
  private messageNumber = 0
  private sendTimer: NodeJS.Timeout | null = null

  constructor(bus: PeerBus, rosters: Rosters, clock: () => number) {
    this.bus = bus
    this.rosters = rosters
    this.clock = clock
    bus.on(UPDATE_TOPIC, (from, payload) => this.onMessage(from, payload))
    bus.on(RESYNC_TOPIC, (from) => this.sendSnapshot(from))
    bus.onJoined((region) => this.requestResync(region))
    bus.onGone((region) => this.removeRegion(region))
    for (const region of bus.peers()) this.requestResync(region)
  }

  /** Queues a change of a local user on the site (`roomId` null) or in a room. */
  queueLocalChange(userId: UserId, roomId: RoomId | null, ended?: LeaveReason): void {
    const broken = this.pendingChanges.get(userId) ?? new Set()
    this.pendingChanges.set(userId, broken)
    if (roomId === null) {
      if (ended) this.localUsers.delete(userId)
      else if (!this.localUsers.has(userId)) this.localUsers.set(userId, new Set())
    } else {
      if (ended) this.localUsers.get(userId)?.delete(roomId)
      else this.localUsers.get(userId)?.add(roomId)
      if (ended === 'disconnected') broken.add(roomId)
      else broken.delete(roomId)
    }
    this.sendTimer ??= setTimeout(() => this.sendChanges(), SYNC_WINDOW_MS).unref()
  }

  close(): void {
    if (this.sendTimer) clearTimeout(this.sendTimer)
  }

  private sendChanges(): void {
    this.sendTimer = null
    const changed = [...this.pendingChanges]
    this.pendingChanges.clear()
    if (this.bus.peers().length === 0) {
      this.messageNumber++ // peers that still considered this region reachable detect the gap
      return
    }
    for (const part of splitIntoMessages(changed.map(([id, broken]) => this.presenceOf(id, [...broken])))) {
      const message: SyncMessage = { at: ++this.messageNumber, people: part }
      this.bus.send('all', UPDATE_TOPIC, message)
    }
  }

  private sendSnapshot(to: string): void {
    const messages = splitIntoMessages(Array.from(this.localUsers.keys(), (id) => this.presenceOf(id, [])))
    if (messages.length === 0) messages.push([])
    messages.forEach((people, index) => {
      const isLast = index === messages.length - 1
      const whole = index > 0 ? (isLast ? 'last' : 'more') : isLast ? 'only' : 'first'
      const message: SyncMessage = { at: this.messageNumber, people, whole }
      this.bus.send(to, UPDATE_TOPIC, message)
    })
  }

  private presenceOf(id: UserId, broken: RoomId[]): UserPresence {
    const user = this.rosters.site.localMember(id)?.person ?? null
    const rooms = [...(user ? (this.localUsers.get(id) ?? []) : [])].slice(0, MAX_ROOMS_PER_USER).flatMap((roomId) => {
      const member = this.rosters.room(roomId).localMember(id)
      return member ? [{ roomId, isOnline: member.person.isOnline, hereForMs: member.dwellMs }] : []
    })
    const ghost = this.rosters.ghosts.isLogged(id) && { isGhost: true }
    return { id, user, rooms, broken: broken.slice(0, MAX_ROOMS_PER_USER), ...ghost }
  }

  private requestResync(from: string, region = this.getOrCreateRegion(from)): void {
    region.resyncRequestedAt = this.clock()
    this.bus.send(from, RESYNC_TOPIC, {})
  }

  /** Applies a message; requests a snapshot if a message is missing. */
  private onMessage(from: string, payload: unknown): void {
    const parsed = v.safeParse(SyncMessage, payload)
    if (!parsed.success) return
    const { at, people, whole } = parsed.output
    const region = this.getOrCreateRegion(from)
    if (whole === 'first' || whole === 'only') {
      region.lastMessageNumber = at
      region.unconfirmed = new Set(region.roomsByUser.keys())
    } else if (whole === undefined && region.lastMessageNumber !== null && at === region.lastMessageNumber + 1)
      region.lastMessageNumber = at
    else if (whole === undefined || region.lastMessageNumber === null) {
      if (Math.abs(this.clock() - region.resyncRequestedAt) >= RESYNC_RETRY_MS) this.requestResync(from, region)
      return
    }
    for (const person of people) this.applyUser(from, region, person, whole !== undefined)
    if (whole === 'last' || whole === 'only') {
      for (const id of region.unconfirmed) this.removeUser(from, region, id)
      region.unconfirmed.clear()
    }
  }

  private applyUser(from: string, region: RemoteRegion, person: unknown, isSnapshot: boolean): void {
    const parsed = v.safeParse(UserPresence, person)
    if (!parsed.success) return
    const { id, user, broken } = parsed.output
    const wasOnline = this.isOnlineIn(from, id)
    region.unconfirmed.delete(id)
    if (!user) this.removeUser(from, region, id, broken)
    else if (user.id === id && (region.roomsByUser.has(id) || region.roomsByUser.size < MAX_USERS_PER_REGION)) {
      this.updateUser(from, region, user, parsed.output)
      // After a snapshot earlier notifications may have been lost, so they are repeated.
      if (isSnapshot || user.isOnline !== wasOnline) this.rosters.onRemoteChange(id, from)
    }
  }

  private updateUser(from: string, region: RemoteRegion, user: Person, presence: UserPresence): void {
    const { id, rooms, broken, isGhost = false } = presence
    const now = this.clock()
    // First, so that a ghost is never shown.
    this.rosters.ghosts.setReported(from, id, isGhost)
    const before = region.roomsByUser.get(id) ?? []
    const after = new Set(rooms.map(({ roomId }) => roomId))
    region.roomsByUser.set(id, after)
    this.rosters.site.addRemote(from, user, now)
    for (const { roomId, isOnline, hereForMs } of rooms) {
      this.rosters.room(roomId).addRemote(from, { ...user, isOnline }, now - hereForMs)
    }
    for (const roomId of before) {
      const how = broken.includes(roomId) ? 'disconnected' : 'left'
      if (!after.has(roomId)) this.rosters.room(roomId).removeRemote(from, id, how)
    }
  }

  /** Removes a user of that region; without `broken` the region is unreachable and all stays count as interrupted. */
  private removeUser(from: string, region: RemoteRegion, id: UserId, broken?: RoomId[]): void {
    const rooms = region.roomsByUser.get(id)
    if (!rooms) return
    const wasOnline = this.isOnlineIn(from, id)
    region.roomsByUser.delete(id)
    for (const roomId of rooms) {
      const how = !broken || broken.includes(roomId) ? 'disconnected' : 'left'
      this.rosters.room(roomId).removeRemote(from, id, how)
    }
    this.rosters.site.removeRemote(from, id, broken ? 'left' : 'disconnected')
    this.rosters.ghosts.setReported(from, id, false)
    if (wasOnline) this.rosters.onRemoteChange(id, from)
  }

  /** Removes an unreachable region; its users leave without a further grace period. */
  private removeRegion(from: string): void {
    const region = this.getOrCreateRegion(from)
    for (const id of [...region.roomsByUser.keys()]) this.removeUser(from, region, id)
    this.remoteRegions.delete(from)
  }

  private isOnlineIn(region: string, userId: UserId): boolean {
    return this.rosters.site.otherRegionsOf(userId).includes(region)
  }

  private getOrCreateRegion(name: string): RemoteRegion {
    const existing = this.remoteRegions.get(name)
    if (existing) return existing
    const region: RemoteRegion = {
      lastMessageNumber: null,
      roomsByUser: new Map(),
      unconfirmed: new Set(),
      resyncRequestedAt: Number.NEGATIVE_INFINITY,
    }
    this.remoteRegions.set(name, region)
    return region
  }
}

function splitIntoMessages(people: UserPresence[]): UserPresence[][] {
  const count = Math.ceil(people.length / USERS_PER_MESSAGE)
  return Array.from({ length: count }, (_, index) =>
    people.slice(index * USERS_PER_MESSAGE, (index + 1) * USERS_PER_MESSAGE),
  )
}
