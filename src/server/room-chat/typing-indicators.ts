import * as v from 'valibot'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { events } from '../../shared/room-chat/protocol.ts'
import type { Publisher } from '../live/publisher.ts'
import { canRead } from '../live/visibility.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import { roomStream } from '../rooms/streams.ts'

/** Minimum time between two typing events of one room. */
const FLUSH_INTERVAL_MS = 1_000
/** Users named in one typing event. */
const MAX_NAMED_USERS = 5

const BUS_TOPIC = 'typing'

interface TypingUser {
  id: UserId
  username: string
}

/**
 * Coalesces typing of all regions into at most one ephemeral event per room and second, which only the room's stream
 * receives.
 */
export class TypingIndicators {
  private readonly publisher: Publisher
  private readonly bus: PeerBus
  private readonly isInRoom: (roomId: RoomId, userId: UserId) => boolean
  /** By room id, the users who have typed since its last event: in this region, and in other regions. */
  private readonly localUsers = new Map<RoomId, Map<UserId, TypingUser>>()
  private readonly remoteUsers = new Map<RoomId, Map<UserId, TypingUser>>()
  private readonly timers = new Map<RoomId, NodeJS.Timeout>()

  /** @param isInRoom drops users who have left the room or were removed from it since they typed */
  constructor(publisher: Publisher, bus: PeerBus, isInRoom: (roomId: RoomId, userId: UserId) => boolean) {
    this.publisher = publisher
    this.bus = bus
    this.isInRoom = isInRoom
    bus.on(BUS_TOPIC, (_, payload) => {
      const parsed = v.safeParse(events.typing.payload, payload)
      if (parsed.success)
        for (const user of parsed.output.users) this.addToWindow(this.remoteUsers, parsed.output.roomId, user)
    })
  }

  /** Adds a user of this region who is typing; the caller has checked that they are in the room. */
  addTypingUser(roomId: RoomId, user: TypingUser): void {
    this.addToWindow(this.localUsers, roomId, user)
  }

  /** Drops a user of this region who has sent the message. */
  removeTypingUser(roomId: RoomId, userId: UserId): void {
    this.localUsers.get(roomId)?.delete(userId)
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private addToWindow(rooms: Map<RoomId, Map<UserId, TypingUser>>, roomId: RoomId, { id, username }: TypingUser): void {
    const typingUsers = rooms.get(roomId) ?? new Map<UserId, TypingUser>()
    rooms.set(roomId, typingUsers)
    if (typingUsers.size < MAX_NAMED_USERS) typingUsers.set(id, { id, username })
    if (!this.timers.has(roomId)) this.flushRoom(roomId)
  }

  private flushRoom(roomId: RoomId): void {
    this.timers.delete(roomId)
    const isStillInRoom = ({ id }: TypingUser): boolean => this.isInRoom(roomId, id)
    const localUsers = drainRoom(this.localUsers, roomId).filter(isStillInRoom)
    const users = [...localUsers, ...drainRoom(this.remoteUsers, roomId).filter(isStillInRoom)].slice(
      0,
      MAX_NAMED_USERS,
    )
    if (users.length === 0) return
    this.publisher.publishEphemeral(roomStream(roomId), 'typing', { roomId, users }, (viewer) => {
      const others = users.filter(({ id }) => canRead(viewer, { actorId: id, audience: null }))
      return others.length > 0 ? { roomId, users: others } : null
    })
    if (localUsers.length) this.bus.send('all', BUS_TOPIC, { roomId, users: localUsers })
    const timer = setTimeout(() => this.flushRoom(roomId), FLUSH_INTERVAL_MS)
    timer.unref()
    this.timers.set(roomId, timer)
  }
}

function drainRoom(rooms: Map<RoomId, Map<UserId, TypingUser>>, roomId: RoomId): TypingUser[] {
  const typingUsers = [...(rooms.get(roomId)?.values() ?? [])]
  rooms.delete(roomId)
  return typingUsers
}
