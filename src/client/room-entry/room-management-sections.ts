import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { PeopleIcon } from '../ui/lazy-icons.tsx'
import { preferenceLabel } from './preference-labels.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 30,
    label: 'Yazma ve medya izni',
    icon: PeopleIcon,
    access: 'staff',
    summarise: ({ room }) => preferenceLabel(room.messagePreference),
    load: async () => ({ component: (await import('./preferences-section.tsx')).PreferencesSection }),
  },
]
