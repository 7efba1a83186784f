import { POPUP_LABEL } from '../../shared/announcements/texts.ts'
import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { AnnounceIcon } from '../ui/lazy-icons.tsx'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 60,
    label: POPUP_LABEL,
    icon: AnnounceIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./room-popup-section.tsx')).RoomPopupSection }),
  },
]
