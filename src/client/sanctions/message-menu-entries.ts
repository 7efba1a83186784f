import { REMOVE_MESSAGE_LABEL, RESTORE_MESSAGE_LABEL } from '../../shared/sanctions/texts.ts'
import { session } from '../accounts/session.ts'
import type { MessageMenuEntry, MessageMenuTarget } from '../conversation/message-menu/message-menu-entry.ts'
import { RoomConversation } from '../room-chat/room-conversation.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'

/** Of messages in rooms: root admins, and those who run the room, to whom the chat limits do not apply either. */
function mayRemove({ conversation, message }: MessageMenuTarget): boolean {
  if (message.id === null || message.isOwn) return false
  return conversation instanceof RoomConversation && (session.isRootAdmin() || conversation.isExempt)
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
