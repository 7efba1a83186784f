import { BANNED_USERS_LABEL, CLEAR_ROOM_LABEL } from '../../shared/moderation/rules.ts'
import type { MenuContext, MenuEntry } from '../shell/menus/menu-entries.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { AlertIcon } from '../ui/icons.tsx'
import { CloseIcon } from '../ui/lazy-icons.tsx'

const clearRoom = {
  label: CLEAR_ROOM_LABEL,
  isAvailable: ({ isRootAdmin, room }: MenuContext) => isRootAdmin && room !== null,
  run: ({ room }: MenuContext) => room && openOverlay('clearRoomDialog', { roomId: room.id, name: room.name }),
}
const bannedUsers = {
  label: BANNED_USERS_LABEL,
  isAvailable: ({ isRootAdmin }: MenuContext) => isRootAdmin,
  run: () => openOverlay('bansSheet', {}),
}

export const menuEntries: readonly MenuEntry[] = [
  { ...clearRoom, menu: 'context', order: 30, isDestructive: true },
  { ...clearRoom, menu: 'settings', order: 40, icon: CloseIcon },
  // The right-click menu has it in rooms only.
  { ...bannedUsers, menu: 'context', order: 40, isAvailable: ({ isRootAdmin, room }) => isRootAdmin && room !== null },
  { ...bannedUsers, menu: 'settings', order: 50, icon: AlertIcon },
]
