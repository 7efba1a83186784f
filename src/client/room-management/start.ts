import { adminAddedText, adminRemovedText } from '../../shared/room-management/texts.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { toast } from '../shell/toasts/toast.ts'

/** Tells the viewer when they become an admin of a room, or are one no longer. */
export function start(): void {
  live.on('roomAdminAdded', ({ admin, roomName }) => {
    if (session.isSelf(admin.id)) void toast(adminAddedText(isolateBidi(roomName)), 'success')
  })
  live.on('roomAdminRemoved', ({ userId, roomName }) => {
    if (session.isSelf(userId)) void toast(adminRemovedText(isolateBidi(roomName)), 'info')
  })
}
