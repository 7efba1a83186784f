import { POPUP_LABEL } from '../../../shared/announcements/texts.ts'
import { AnnounceIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 60,
    label: POPUP_LABEL,
    icon: AnnounceIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./room-popup-section.tsx')).RoomPopupSection }),
  },
]
