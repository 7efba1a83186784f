import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { replayMissed } from '../live/replay-missed.ts'
import { live } from '../live/state.ts'
import { refetchShownRoom } from '../room-chat/refetch-room.ts'
import { roomConversations } from '../room-chat/state.ts'
import { roomSubscription } from '../rooms/state.ts'
import { ownSanctions } from '../sanctions/own-sanctions.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { toast } from '../shell/toasts/toast.ts'
import { followRoomClosure } from './room-closure.ts'
import { WritePermissionFollower } from './write-permission.ts'

/** Follows whether the viewer may write to the shown room, and whether they may be in it. */
export function start(): void {
  const deps = {
    live,
    roomSubscription,
    conversations: roomConversations,
    viewer: () => session.user,
    muteText: (roomId: RoomId) => ownSanctions.muteLabel(roomId),
  }
  const writing = replayMissed(
    live,
    () => new WritePermissionFollower(deps),
    (follower) => refetchShownRoom((room) => follower.setPreferences(room.id, room)),
  )
  ownSanctions.mutes.subscribe(() => writing.update())
  const closure = {
    live,
    roomSubscription,
    shownRoomId: () => roomConversations.current?.roomId ?? null,
    isSelf: (userId: UserId) => session.isSelf(userId),
    showNotice: (message: string, next: string) => void openOverlay('roomBanNotice', { message, next }),
    toast: (message: string) => void toast(message, 'error'),
    navigateTo: (path: string) => browserEnvironment.navigateTo(path),
  }
  replayMissed(
    live,
    () => followRoomClosure(closure),
    () => {},
  )
}
