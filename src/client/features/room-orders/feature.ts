import { CREATE_ROOM_LABEL, OWN_ROOMS_LABEL, TERM_LABEL } from '../../../shared/room-orders/texts.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import { dateText } from '../../core/ui/format/turkish-time.ts'
import { ClockIcon } from '../../core/ui/icons.tsx'
import { RoomsIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { openRoomOrder } from '../../model/room-orders/open-room-order.ts'
import { NewRoomIcon } from './icons.tsx'

const createRoom = { label: CREATE_ROOM_LABEL, icon: NewRoomIcon, run: openRoomOrder }

export const feature: ClientFeature = {
  panels: {
    ownRooms: {
      title: OWN_ROOMS_LABEL,
      load: async () => (await import('./own-rooms-panel.tsx')).OwnRoomsPanel,
    },
  },
  menuEntries: [
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
  ],
  roomManagementSections: [
    {
      order: 80,
      label: TERM_LABEL,
      icon: ClockIcon,
      access: 'owner',
      summarise: ({ room }) => (room.expiryDate === null ? 'Süresiz' : dateText(room.expiryDate)),
      load: async () => ({ component: (await import('./term-section.tsx')).TermSection }),
    },
  ],
}
