import type { Person } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { type RoomPreference, writeRefusalText } from '../../shared/rooms/rules.ts'
import { WRITABLE } from '../conversation/conversation.ts'
import type { LiveClient } from '../live/live-client.ts'
import type { RoomConversations } from '../room-chat/room-conversations.ts'
import type { JoinResult, RoomSubscription } from '../rooms/room-subscription.ts'

interface WritePermissionDeps {
  live: LiveClient
  roomSubscription: RoomSubscription
  conversations: Pick<RoomConversations, 'current'>
  viewer: () => Person | null
}

/**
 * Keeps the composer of the shown room in step with the room's message preference and with the viewer's role and premium.
 * The page says what holds when it opens; the server decides about each message.
 */
export class WritePermissionFollower {
  private readonly deps: WritePermissionDeps
  private room: { id: RoomId; preference: RoomPreference; isStaff: boolean } | null = null

  constructor(deps: WritePermissionDeps) {
    this.deps = deps
    const { live, roomSubscription, conversations } = deps
    if (conversations.current?.joined) this.onJoined(conversations.current.joined)
    roomSubscription.addListener({ onJoined: (joined) => this.onJoined(joined) })
    live.on('roomPreferencesUpdated', ({ roomId, messagePreference }) => this.setPreference(roomId, messagePreference))
    live.on('roomAdminAdded', ({ roomId, admin }) => this.setStaff(roomId, admin.id, true))
    live.on('roomAdminRemoved', ({ roomId, userId }) => this.setStaff(roomId, userId, false))
    live.on('userProfileUpdated', ({ user }) => {
      const viewer = deps.viewer()
      if (viewer?.id === user.id) this.update({ ...viewer, ...user })
    })
  }

  /** The message preference of a room was changed, or read again. */
  setPreference(roomId: RoomId, preference: RoomPreference): void {
    if (this.room?.id === roomId) this.room = { ...this.room, preference }
    this.update()
  }

  private setStaff(roomId: RoomId, userId: UserId, isStaff: boolean): void {
    if (this.room?.id !== roomId || this.deps.viewer()?.id !== userId) return
    this.room = { ...this.room, isStaff }
    this.update()
  }

  private onJoined({ room, exempt }: JoinResult): void {
    this.room = { id: room.id, preference: room.messagePreference, isStaff: exempt }
    this.update()
  }

  private update(viewer = this.deps.viewer()): void {
    const { current } = this.deps.conversations
    if (!viewer || !this.room || current?.roomId !== this.room.id) return
    const refusalText = writeRefusalText(this.room.preference, viewer, this.room.isStaff)
    current.permission.value = refusalText === null ? WRITABLE : { canWrite: false, placeholder: refusalText }
  }
}
