import { BAN_FROM_ROOM_LABEL } from '../../../shared/room-entry/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { roomConversations } from '../../model/room-chat/state.ts'

/** For staff of the shown room, whom the chat limits exempt. */
export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 35,
    label: BAN_FROM_ROOM_LABEL,
    isDestructive: true,
    isAvailable: ({ id, role }) => {
      const { isExempt = false, joined } = roomConversations.current ?? {}
      return isExempt && role !== 'rootadmin' && id !== joined?.room.ownerId && !session.isSelf(id)
    },
    run: ({ username }) => {
      const roomId = roomConversations.current?.roomId
      if (roomId !== undefined) void openOverlay('roomBanForm', { roomId, username })
    },
  },
]
