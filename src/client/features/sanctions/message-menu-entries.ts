import { REMOVE_MESSAGE_LABEL, RESTORE_MESSAGE_LABEL } from '../../../shared/sanctions/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { MessageMenuEntry, MessageMenuTarget } from '../../model/conversation/message-menu/message-menu-entry.ts'
import { RoomConversation } from '../../model/room-chat/room-conversation.ts'
import { shownRoomStaff } from './shown-room-staff.ts'

/**
 * Of messages in rooms: root admins, and the staff of the room, to whom the chat limits do not apply either; these not of
 * each other and of root admins.
 */
function mayRemove({ conversation, message: { id, isOwn, sender } }: MessageMenuTarget): boolean {
  if (id === null || isOwn || !(conversation instanceof RoomConversation)) return false
  if (session.isRootAdmin()) return true
  return conversation.isExempt && sender.role !== 'rootadmin' && !shownRoomStaff.has(sender.id)
}

function openDialog({ message: { id, sender } }: MessageMenuTarget, isRestored: boolean): void {
  if (id !== null) void openOverlay('removeMessageDialog', { messageId: id, username: sender.username, isRestored })
}

export const messageMenuEntries: readonly MessageMenuEntry[] = [
  {
    order: 90,
    label: REMOVE_MESSAGE_LABEL,
    isDestructive: true,
    isAvailable: (target) => mayRemove(target) && !target.message.isRemoved,
    run: (target) => openDialog(target, false),
  },
  {
    order: 95,
    label: RESTORE_MESSAGE_LABEL,
    isAvailable: (target) => mayRemove(target) && target.message.isRemoved === true,
    run: (target) => openDialog(target, true),
  },
]
