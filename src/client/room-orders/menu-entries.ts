import { OWN_ROOMS_LABEL } from '../../shared/room-orders/texts.ts'
import type { MenuEntry } from '../shell/menus/menu-entries.ts'
import { togglePanel } from '../shell/panels/panel-state.ts'
import { RoomsIcon } from '../ui/lazy-icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 20,
    label: OWN_ROOMS_LABEL,
    icon: RoomsIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => togglePanel('ownRooms'),
  },
]
