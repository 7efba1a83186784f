import { MUTES_LABEL } from '../../../shared/sanctions/texts.ts'
import { MutedIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 52,
    label: MUTES_LABEL,
    icon: MutedIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./mutes-section.tsx')).RoomMutesSection }),
  },
]
