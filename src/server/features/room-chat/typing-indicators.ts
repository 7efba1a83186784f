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
/** Ghost-banned users who type: for their own connections in other regions. A topic of its own, so that no region shows it to others. */
const GHOST_BUS_TOPIC = 'typing.ghost'

type RoomPresence = Pick<AppContext['presence'], 'isIn' | 'isMember' | 'isGhost' | 'ghostsIn' | 'connectionsOf'>
/** Of whose window: everybody's, or that of a ghost-banned user, whom others do not see typing. */
type Owner = UserId | 'everybody'

/**
 * Coalesces typing of all regions into at most one ephemeral event per room and second, which only the room's stream
 * receives. Each ghost-banned user in the room has a window of their own, so that no other event comes sooner or later.
 */
export class TypingIndicators {
  private readonly publisher: Publisher
  private readonly bus: PeerBus
  private readonly presence: RoomPresence
  private readonly rooms = new Map<RoomId, Map<Owner, TypingWindow>>()

  /** @param presence drops users who have left the room or were removed from it since they typed */
  constructor(publisher: Publisher, bus: PeerBus, presence: RoomPresence) {
    this.publisher = publisher
    this.bus = bus
    this.presence = presence
    const receive = (payload: unknown, add: (roomId: RoomId, user: TypingUser) => void): void => {
      const parsed = v.safeParse(events.typing.payload, payload)
      if (parsed.success) for (const user of parsed.output.users) add(parsed.output.roomId, user)
    }
    bus.on(BUS_TOPIC, (_, payload) => receive(payload, (roomId, user) => this.add(roomId, 'remote', user)))
    bus.on(GHOST_BUS_TOPIC, (_, payload) => receive(payload, (roomId, user) => this.addGhost(roomId, 'remote', user)))
  }

  /** Adds a user of this region who is typing; the caller has checked that they are in the room. */
  addTypingUser(roomId: RoomId, user: TypingUser): void {
    this.add(roomId, 'local', user)
  }

  /** Drops a user of this region who has sent the message. */
  removeTypingUser(roomId: RoomId, userId: UserId): void {
    for (const window of this.rooms.get(roomId)?.values() ?? []) window.removeLocal(userId)
  }

  close(): void {
    for (const windows of this.rooms.values()) for (const window of windows.values()) window.close()
    this.rooms.clear()
  }

  private add(roomId: RoomId, origin: 'local' | 'remote', user: TypingUser): void {
    if (this.presence.isGhost(user.id)) this.addGhost(roomId, origin, user)
    else for (const window of this.windowsOf(roomId).values()) window.add(origin, user)
  }

  private addGhost(roomId: RoomId, origin: 'local' | 'remote', user: TypingUser): void {
    this.windowsOf(roomId).get(user.id)?.add(origin, user)
  }

  /** The windows of a room: everybody's first, and that of each ghost in it, which continues everybody's. */
  private windowsOf(roomId: RoomId): Map<Owner, TypingWindow> {
    const windows = this.rooms.get(roomId) ?? new Map<Owner, TypingWindow>()
    this.rooms.set(roomId, windows)
    const create = (owner: Owner) =>
      new TypingWindow((take) => this.publish(roomId, owner, take), windows.get('everybody'))
    if (!windows.has('everybody')) windows.set('everybody', create('everybody'))
    const ghosts = this.presence.ghostsIn(roomId)
    if (windows.size === 1 && ghosts.length === 0) return windows
    for (const [owner, window] of windows) {
      if (owner === 'everybody' || ghosts.includes(owner)) continue
      window.close()
      windows.delete(owner)
    }
    for (const ghost of ghosts) if (!windows.has(ghost)) windows.set(ghost, create(ghost))
    return windows
  }

  /** Sends the users who are still in the room; whether there were any. */
  private publish(roomId: RoomId, owner: Owner, take: () => Gathered): boolean {
    // Before the users are taken: the window of a ghost who has entered since continues this one.
    if (owner === 'everybody') this.windowsOf(roomId)
    const { local, remote } = take()
    const isStillInRoom = ({ id }: TypingUser): boolean =>
      id === owner ? this.presence.isMember(roomId, id) : this.presence.isIn(roomId, id, null)
    const localUsers = local.filter(isStillInRoom)
    const users = [...localUsers, ...remote.filter(isStillInRoom)].slice(0, MAX_NAMED_USERS)
    if (users.length > 0) {
      this.send(roomId, owner, users)
      this.sendToRegions(roomId, owner, localUsers)
    } else if (owner === 'everybody') this.removeIfIdle(roomId)
    return users.length > 0
  }

  private send(roomId: RoomId, owner: Owner, users: TypingUser[]): void {
    const stream = roomStream(roomId)
    const payloadFor = (viewer: Parameters<typeof canRead>[0]) => {
      const others = users.filter(({ id }) => canRead(viewer, { actorId: id, audience: null }))
      return others.length > 0 ? { roomId, users: others } : null
    }
    const payload = { roomId, users }
    const windows = owner === 'everybody' ? this.windowsOf(roomId) : null
    if (windows?.size === 1) {
      this.publisher.publishEphemeral(stream, 'typing', payload, payloadFor)
      return
    }
    const receivers =
      owner === 'everybody'
        ? [...this.publisher.subscribers(stream)].filter(
            ({ identity }) => !identity || !windows?.has(identity.viewer.userId),
          )
        : this.presence.connectionsOf(owner).filter(({ streams }) => streams.has(stream))
    this.publisher.sendEphemeral(receivers, 'typing', payload, payloadFor)
  }

  private sendToRegions(roomId: RoomId, owner: Owner, localUsers: TypingUser[]): void {
    const isOwn = owner !== 'everybody'
    const users = isOwn ? localUsers.filter(({ id }) => id === owner && this.presence.isGhost(id)) : localUsers
    if (users.length > 0) this.bus.send('all', isOwn ? GHOST_BUS_TOPIC : BUS_TOPIC, { roomId, users })
  }

  private removeIfIdle(roomId: RoomId): void {
    const windows = this.rooms.get(roomId)
    if (windows?.size === 1 && windows.get('everybody')?.isIdle) this.rooms.delete(roomId)
  }
}
