import { CREATE_ROOM_LABEL, OWN_ROOMS_LABEL } from '../../../shared/room-orders/texts.ts'
import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import { RoomsIcon } from '../../core/ui/lazy-icons.tsx'
import { NewRoomIcon } from './icons.tsx'

const createRoom = { label: CREATE_ROOM_LABEL, icon: NewRoomIcon, run: () => openOverlay('orderRoom', {}) }

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 20,
    label: OWN_ROOMS_LABEL,
    icon: RoomsIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => togglePanel('ownRooms'),
  },
  { ...createRoom, menu: 'context', order: 5 },
  { ...createRoom, menu: 'settings', order: 5 },
]
