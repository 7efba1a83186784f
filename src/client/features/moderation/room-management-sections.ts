import { CLEAR_ROOM_LABEL } from '../../../shared/moderation/rules.ts'
import { CloseIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 90,
    label: CLEAR_ROOM_LABEL,
    icon: CloseIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./clear-room-section.tsx')).ClearRoomSection }),
  },
]
