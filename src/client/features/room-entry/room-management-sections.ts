import { ROOM_BANS_LABEL, ROOM_PASSWORD_LABEL } from '../../../shared/room-entry/texts.ts'
import { BlockIcon, EveryoneIcon, InfoIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'
import { preferenceLabel } from './preference-labels.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 30,
    label: 'Yazma ve medya izni',
    icon: EveryoneIcon,
    access: 'staff',
    summarise: ({ room }) => preferenceLabel(room.messagePreference),
    load: async () => ({ component: (await import('./preferences-section.tsx')).PreferencesSection }),
  },
  {
    order: 40,
    label: ROOM_PASSWORD_LABEL,
    icon: InfoIcon,
    access: 'staff',
    summarise: ({ room }) => (room.hasPassword ? 'Var' : 'Yok'),
    load: async () => ({ component: (await import('./password-section.tsx')).PasswordSection }),
  },
  {
    order: 50,
    label: ROOM_BANS_LABEL,
    icon: BlockIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./bans-section.tsx')).BansSection }),
  },
]
