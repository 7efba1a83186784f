import { MUTES_LABEL } from '../../shared/sanctions/texts.ts'
import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { MutedIcon } from '../ui/lazy-icons.tsx'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 52,
    label: MUTES_LABEL,
    icon: MutedIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./mutes-section.tsx')).RoomMutesSection }),
  },
]
