import { CLEAR_ROOM_LABEL, MODERATION_LABEL } from '../../../shared/moderation/rules.ts'
import type { MenuContext, MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { CloseIcon, ShieldIcon } from '../../core/ui/lazy-icons.tsx'
import { openReportsBadge } from '../../model/reports/open-report-count.ts'

const clearRoom = {
  label: CLEAR_ROOM_LABEL,
  isAvailable: ({ isRootAdmin, room }: MenuContext) => isRootAdmin && room !== null,
  run: ({ room }: MenuContext) => room && openOverlay('clearRoomDialog', { roomId: room.id, name: room.name }),
}
const moderation = {
  label: MODERATION_LABEL,
  badge: openReportsBadge,
  isAvailable: ({ isRootAdmin }: MenuContext) => isRootAdmin,
  run: () => openOverlay('moderationScreen', {}),
}

export const menuEntries: readonly MenuEntry[] = [
  { ...clearRoom, menu: 'context', order: 30, isDestructive: true },
  { ...clearRoom, menu: 'settings', order: 40, icon: CloseIcon },
  // The right-click menu has it in rooms only.
  { ...moderation, menu: 'context', order: 40, isAvailable: ({ isRootAdmin, room }) => isRootAdmin && room !== null },
  { ...moderation, menu: 'settings', order: 50, icon: ShieldIcon },
]
