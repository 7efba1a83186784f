import {
  BAN_LABEL,
  BANS_LABEL,
  CLEAR_ROOM_LABEL,
  GHOST_BAN_LABEL,
  LIFT_BAN_LABEL,
  MODERATION_LABEL,
} from '../../../shared/moderation/rules.ts'
import { session } from '../../core/session/session.ts'
import type { MenuContext } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { BlockIcon, CloseIcon, ShieldIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { isBanned, isGhostBanned, requestBanLift } from '../../model/moderation/bans.ts'
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

export const feature: ClientFeature = {
  menuEntries: [
    { ...clearRoom, menu: 'context', order: 30, isDestructive: true },
    { ...clearRoom, menu: 'settings', order: 40, icon: CloseIcon },
    // The right-click menu has it in rooms only.
    { ...moderation, menu: 'context', order: 40, isAvailable: ({ isRootAdmin, room }) => isRootAdmin && room !== null },
    { ...moderation, menu: 'settings', order: 50, icon: ShieldIcon },
  ],
  personMenuEntries: [
    {
      order: 39,
      label: GHOST_BAN_LABEL,
      isDestructive: true,
      isAvailable: (person) => session.isRootAdmin() && person.isGuest && !isGhostBanned(person) && !isBanned(person),
      run: ({ id, username }) => void openOverlay('ghostBanForm', { id, username }),
    },
    {
      order: 40,
      label: BAN_LABEL,
      isDestructive: true,
      isAvailable: (person) => session.isRootAdmin() && person.role !== 'rootadmin' && !isBanned(person),
      run: ({ username }) => void openOverlay('banForm', { username }),
    },
    {
      order: 50,
      label: LIFT_BAN_LABEL,
      isAvailable: (person) => session.isRootAdmin() && (isBanned(person) || isGhostBanned(person)),
      run: (person) => void requestBanLift(person),
    },
  ],
  roomManagementSections: [
    {
      order: 90,
      label: CLEAR_ROOM_LABEL,
      icon: CloseIcon,
      access: 'staff',
      load: async () => ({ component: (await import('./clear-room-section.tsx')).ClearRoomSection }),
    },
  ],
  moderationSections: [
    {
      name: 'bans',
      order: 40,
      label: BANS_LABEL,
      icon: BlockIcon,
      load: async () => ({ component: (await import('./bans-section.tsx')).BansSection }),
    },
  ],
}
