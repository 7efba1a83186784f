import * as v from 'valibot'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { events } from '../../shared/room-chat/protocol.ts'
import type { Publisher } from '../live/publisher.ts'
import { canRead } from '../live/visibility.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import { roomStream } from '../rooms/streams.ts'

/** A room hears who writes at most this often, however many do. */
const FLUSH_INTERVAL_MS = 1_000
/** More people than this are not named at once. */
const MAX_NAMED_USERS = 5

const BUS_TOPIC = 'typing'

interface TypingUser {
  id: UserId
  username: string
}

/**
 * Who is writing in which room, gathered: one small moment a second a room, whatever 2,000 people do. Nothing of it is
 * kept, and only the room hears it, in every region.
 */
export class TypingIndicators {
  private readonly publisher: Publisher
  private readonly bus: PeerBus
  private readonly isInRoom: (roomId: RoomId, userId: UserId) => boolean
  /** Of each room, since it was told last: whoever writes in this region, and whoever does in others. */
  private readonly localUsers = new Map<RoomId, Map<UserId, TypingUser>>()
  private readonly remoteUsers = new Map<RoomId, Map<UserId, TypingUser>>()
  private readonly timers = new Map<RoomId, NodeJS.Timeout>()

  /** @param isIn whether this person is in the room: whoever has left it, or was put out, writes nothing there */
  constructor(publisher: Publisher, bus: PeerBus, isIn: (roomId: RoomId, userId: UserId) => boolean) {
    this.publisher = publisher
    this.bus = bus
    this.isInRoom = isIn
    bus.on(BUS_TOPIC, (_, payload) => {
      const told = v.safeParse(events.typing.payload, payload)
      if (told.success)
        for (const user of told.output.users) this.addToWindow(this.remoteUsers, told.output.roomId, user)
    })
  }

  /** This person writes something in this room, in which they are. */
  addTypingUser(roomId: RoomId, typist: TypingUser): void {
    this.addToWindow(this.localUsers, roomId, typist)
  }

  /** What this person wrote is said, or will not be. */
  removeTypingUser(roomId: RoomId, userId: UserId): void {
    this.localUsers.get(roomId)?.delete(userId)
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private addToWindow(rooms: Map<RoomId, Map<UserId, TypingUser>>, roomId: RoomId, { id, username }: TypingUser): void {
    const typists = rooms.get(roomId) ?? new Map<UserId, TypingUser>()
    rooms.set(roomId, typists)
    if (typists.size < MAX_NAMED_USERS) typists.set(id, { id, username })
    if (!this.timers.has(roomId)) this.flushRoom(roomId)
  }

  private flushRoom(roomId: RoomId): void {
    this.timers.delete(roomId)
    const isHere = ({ id }: TypingUser): boolean => this.isInRoom(roomId, id)
    const here = drainRoom(this.localUsers, roomId).filter(isHere)
    const users = [...here, ...drainRoom(this.remoteUsers, roomId).filter(isHere)].slice(0, MAX_NAMED_USERS)
    if (users.length === 0) return
    this.publisher.publishEphemeral(roomStream(roomId), 'typing', { roomId, users }, (viewer) => {
      const others = users.filter(({ id }) => canRead(viewer, { actorId: id, audience: null }))
      return others.length > 0 ? { roomId, users: others } : null
    })
    if (here.length) this.bus.send('all', BUS_TOPIC, { roomId, users: here })
    const timer = setTimeout(() => this.flushRoom(roomId), FLUSH_INTERVAL_MS)
    timer.unref()
    this.timers.set(roomId, timer)
  }
}

function drainRoom(rooms: Map<RoomId, Map<UserId, TypingUser>>, roomId: RoomId): TypingUser[] {
  const typists = [...(rooms.get(roomId)?.values() ?? [])]
  rooms.delete(roomId)
  return typists
}
