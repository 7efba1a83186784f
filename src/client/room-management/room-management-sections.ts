import { ADMINS_LABEL } from '../../shared/room-management/texts.ts'
import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { PeopleIcon } from '../ui/lazy-icons.tsx'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 10,
    label: ADMINS_LABEL,
    icon: PeopleIcon,
    access: 'owner',
    summarise: ({ room }) => countText(room.Admins.length),
    load: async () => ({ component: (await import('./admins-section.tsx')).AdminsSection }),
  },
]
