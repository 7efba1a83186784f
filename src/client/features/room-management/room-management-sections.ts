import {
  ADMINS_LABEL,
  BACKGROUND_LABEL,
  GREETING_LABEL,
  SLOW_MODE_LABEL,
  VISITORS_LABEL,
} from '../../../shared/room-management/texts.ts'
import { SmileIcon } from '../../core/ui/composer-icons.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { ClockIcon, EveryoneIcon, PeopleIcon, PictureIcon } from '../../core/ui/lazy-icons.tsx'
import type { RoomManagementSection } from '../../model/rooms/room-management-section.ts'
import { slowModeLabel } from './slow-mode-labels.ts'

export const roomManagementSections: readonly RoomManagementSection[] = [
  {
    order: 10,
    label: ADMINS_LABEL,
    icon: PeopleIcon,
    access: 'owner',
    summarise: ({ room }) => countText(room.Admins.length),
    load: async () => ({ component: (await import('./admins-section.tsx')).AdminsSection }),
  },
  {
    order: 22,
    label: GREETING_LABEL,
    icon: SmileIcon,
    access: 'staff',
    summarise: ({ room }) => room.greetingMessage ?? 'Yok',
    load: async () => ({ component: (await import('./greeting-section.tsx')).GreetingSection }),
  },
  {
    order: 24,
    label: BACKGROUND_LABEL,
    icon: PictureIcon,
    access: 'staff',
    summarise: ({ room }) => (room.backgroundImage === null ? 'Yok' : 'Var'),
    load: async () => ({ component: (await import('./background-section.tsx')).BackgroundSection }),
  },
  {
    order: 35,
    label: SLOW_MODE_LABEL,
    icon: ClockIcon,
    access: 'staff',
    summarise: ({ room }) => slowModeLabel(room.slowModeSeconds),
    load: async () => ({ component: (await import('./slow-mode-section.tsx')).SlowModeSection }),
  },
  {
    order: 70,
    label: VISITORS_LABEL,
    icon: EveryoneIcon,
    access: 'staff',
    load: async () => ({ component: (await import('./visitors-section.tsx')).VisitorsSection }),
  },
]
