import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { refetchShownRoom } from '../../model/room-chat/refetch-room.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { roomSubscription } from '../../model/rooms/state.ts'
import { ownSanctions } from '../../model/sanctions/own-sanctions.ts'
import { watchRoomClosure } from './room-closure.ts'
import { WritePermissionSync } from './write-permission.ts'

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
    () => new WritePermissionSync(deps),
    (sync) => refetchShownRoom((room) => sync.setPreferences(room.id, room)),
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
  replayMissed(live, () => watchRoomClosure(closure))
}
