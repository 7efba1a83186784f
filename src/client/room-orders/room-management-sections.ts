import { TERM_LABEL } from '../../shared/room-orders/texts.ts'
import type { RoomManagementSection } from '../rooms/room-management-section.ts'
import { dateText } from '../ui/format/turkish-time.ts'
import { ClockIcon } from '../ui/lazy-icons.tsx'

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
