import { CLEAR_ROOM_LABEL } from '../../shared/moderation/rules.ts'
import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { CloseIcon } from '../ui/lazy-icons.tsx'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 90,
    label: CLEAR_ROOM_LABEL,
    icon: CloseIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./clear-room-section.tsx')).ClearRoomSection }),
  },
]
