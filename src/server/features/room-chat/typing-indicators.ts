import * as v from 'valibot'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { events } from '../../../shared/room-chat/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Publisher } from '../../kernel/live/publisher.ts'
import { canRead } from '../../kernel/live/visibility.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'
import { type Gathered, MAX_NAMED_USERS, type TypingUser, TypingWindow } from './typing-window.ts'

const BUS_TOPIC = 'typing'

/**
 * Coalesces typing of all regions into at most one ephemeral event per room and second, which only the room's stream
 * receives. That of a ghost reaches nobody.
 */
export class TypingIndicators {
  private readonly publisher: Publisher
  private readonly bus: PeerBus
  private readonly presence: Pick<AppContext['presence'], 'isIn'>
  private readonly rooms = new Map<RoomId, TypingWindow>()

  /** @param presence drops users who have left the room, were removed from it or are ghosts */
  constructor(publisher: Publisher, bus: PeerBus, presence: Pick<AppContext['presence'], 'isIn'>) {
    this.publisher = publisher
    this.bus = bus
    this.presence = presence
    bus.on(BUS_TOPIC, (_, payload) => {
      const parsed = v.safeParse(events.typing.payload, payload)
      if (parsed.success) for (const user of parsed.output.users) this.add(parsed.output.roomId, 'remote', user)
    })
  }

  /** Adds a user of this region who is typing; the caller has checked that they are in the room. */
  addTypingUser(roomId: RoomId, user: TypingUser): void {
    this.add(roomId, 'local', user)
  }

  /** Drops a user of this region who has sent the message. */
  removeTypingUser(roomId: RoomId, userId: UserId): void {
    this.rooms.get(roomId)?.removeLocal(userId)
  }

  close(): void {
    for (const window of this.rooms.values()) window.close()
    this.rooms.clear()
  }

  private add(roomId: RoomId, origin: keyof Gathered, user: TypingUser): void {
    const window = this.rooms.get(roomId) ?? new TypingWindow((take) => this.publish(roomId, take()))
    this.rooms.set(roomId, window)
    window.add(origin, user)
  }

  /** Sends the users who are still in the room; returns whether there were any. */
  private publish(roomId: RoomId, { local, remote }: Gathered): boolean {
    const isStillInRoom = ({ id }: TypingUser): boolean => this.presence.isIn(roomId, id, null)
    const localUsers = local.filter(isStillInRoom)
    const users = [...localUsers, ...remote.filter(isStillInRoom)].slice(0, MAX_NAMED_USERS)
    if (users.length === 0) {
      this.rooms.delete(roomId)
      return false
    }
    this.publisher.publishEphemeral(roomStream(roomId), 'typing', { roomId, users }, (viewer) => {
      const others = users.filter(({ id }) => canRead(viewer, { actorId: id, audience: null }))
      return others.length > 0 ? { roomId, users: others } : null
    })
    if (localUsers.length > 0) this.bus.send('all', BUS_TOPIC, { roomId, users: localUsers })
    return true
  }
}
