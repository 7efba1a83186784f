import type { Person } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import { mediaRefusalText, writeRefusalText } from '../../../shared/rooms/rules.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { WRITABLE } from '../../model/conversation/conversation.ts'
import type { RoomConversations } from '../../model/room-chat/room-conversations.ts'
import type { JoinResult, RoomSubscription } from '../../model/rooms/room-subscription.ts'

type RoomPreferences = Pick<Room, 'messagePreference' | 'mediaPreference'>

interface WritePermissionDeps {
  live: LiveClient
  roomSubscription: RoomSubscription
  conversations: Pick<RoomConversations, 'current'>
  viewer: () => Person | null
  /** Why the viewer is muted in the room, in Turkish; null where they are not. */
  muteText: (roomId: RoomId) => string | null
}

/**
 * Keeps the composer of the shown room in step with the room's preferences and with the viewer's role, premium and mutes.
 * The page says what holds when it opens; the server decides about each message.
 */
export class WritePermissionSync {
  private readonly deps: WritePermissionDeps
  private room: { id: RoomId; preferences: RoomPreferences; isStaff: boolean } | null = null

  constructor(deps: WritePermissionDeps) {
    this.deps = deps
    const { live, roomSubscription, conversations } = deps
    if (conversations.current?.joined) this.onJoined(conversations.current.joined)
    roomSubscription.addListener({ onJoined: (joined) => this.onJoined(joined) })
    live.on('roomPreferencesUpdated', ({ roomId, ...preferences }) => this.setPreferences(roomId, preferences))
    live.on('roomAdminAdded', ({ roomId, admin }) => this.setStaff(roomId, admin.id, true))
    live.on('roomAdminRemoved', ({ roomId, userId }) => this.setStaff(roomId, userId, false))
    live.on('userProfileUpdated', ({ user }) => {
      const viewer = deps.viewer()
      if (viewer?.id === user.id) this.update({ ...viewer, ...user })
    })
  }

  /** The preferences of a room were changed, or read again. */
  setPreferences(roomId: RoomId, preferences: RoomPreferences): void {
    if (this.room?.id === roomId) this.room = { ...this.room, preferences }
    this.update()
  }

  private setStaff(roomId: RoomId, userId: UserId, isStaff: boolean): void {
    if (this.room?.id !== roomId || this.deps.viewer()?.id !== userId) return
    this.room = { ...this.room, isStaff }
    this.update()
  }

  private onJoined({ room, exempt }: JoinResult): void {
    this.room = { id: room.id, preferences: room, isStaff: exempt }
    this.update()
  }

  update(viewer = this.deps.viewer()): void {
    const { current } = this.deps.conversations
    if (!viewer || !this.room || current?.roomId !== this.room.id) return
    const { preferences, isStaff } = this.room
    const muteText = this.deps.muteText(this.room.id)
    const refusalText = muteText ?? writeRefusalText(preferences.messagePreference, viewer, isStaff)
    current.mediaRefusal.value = muteText ?? mediaRefusalText(preferences.mediaPreference, viewer, isStaff)
    current.permission.value = refusalText === null ? WRITABLE : { canWrite: false, placeholder: refusalText }
  }
}
