import { TERM_LABEL } from '../../../shared/room-orders/texts.ts'
import { dateText } from '../../core/ui/format/turkish-time.ts'
import { ClockIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 80,
    label: TERM_LABEL,
    icon: ClockIcon,
    access: 'owner',
    summarise: ({ room }) => (room.expiryDate === null ? 'Süresiz' : dateText(room.expiryDate)),
    load: async () => ({ component: (await import('./term-section.tsx')).TermSection }),
  },
]
