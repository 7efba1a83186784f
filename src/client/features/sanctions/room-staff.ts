import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { RoomConversations } from '../../model/room-chat/room-conversations.ts'
import type { RoomSubscription } from '../../model/rooms/room-subscription.ts'

interface RoomStaffDeps {
  live: LiveClient
  roomSubscription: Pick<RoomSubscription, 'addListener'>
  conversations: Pick<RoomConversations, 'current'>
  isRootAdmin: () => boolean
  /** The admins of a room; null when they did not come. */
  fetchAdmins: (roomId: RoomId) => Promise<readonly UserId[] | null>
}

/**
 * The owner and the admins of the shown room, for a viewer who is one of them: the server refuses what they would do to
 * each other. Root admins and everybody else need no list.
 */
export class RoomStaff {
  private readonly deps: RoomStaffDeps
  private admins: { roomId: RoomId; ids: ReadonlySet<UserId> } | null = null

  constructor(deps: RoomStaffDeps) {
    this.deps = deps
    const { live, roomSubscription } = deps
    void this.load()
    roomSubscription.addListener({ onJoined: () => void this.load() })
    live.on('roomAdminAdded', () => void this.load())
    live.on('roomAdminRemoved', () => void this.load())
  }

  /** Whether a user is the owner or, as far as they are loaded, an admin of the shown room. */
  has(userId: UserId): boolean {
    const { joined, roomId } = this.deps.conversations.current ?? {}
    const { admins } = this
    return joined?.room.ownerId === userId || (admins !== null && admins.roomId === roomId && admins.ids.has(userId))
  }

  private async load(): Promise<void> {
    const { conversations, isRootAdmin, fetchAdmins } = this.deps
    const { isExempt = false, roomId = null } = conversations.current ?? {}
    if (!isExempt || roomId === null || isRootAdmin()) return
    const ids = await fetchAdmins(roomId)
    if (ids && conversations.current?.roomId === roomId) this.admins = { roomId, ids: new Set(ids) }
  }
}
