import type { ReactNode } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { listedRooms, roomUsers } from '../rooms/room-users-state.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { unreadRoomIds } from '../rooms/unread-rooms-state.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { GearIcon, PeopleIcon, RoomsIcon } from '../ui/lazy-icons.tsx'
import { useSignal } from '../use-signal.ts'
import { openOverlay } from './overlays/overlays.ts'
import { panelState, togglePanel } from './panels/panel-state.ts'
import './dock.css'

interface DockProps extends Pick<RoomPageProps, 'total'> {
  roomCount: number
}

const noRooms: ReadonlySet<number> = new Set()

/** On a small screen: the people of the room, all rooms, and settings, at the side where a thumb finds them. */
export function Dock({ total, roomCount }: DockProps): ReactNode {
  const isLive = useSignal(shownRoom, null) !== null
  const live = useSignal(roomUsers, roomUsers.peek())
  const rooms = useSignal(listedRooms, [])
  const isNew = useSignal(unreadRoomIds, noRooms).size > 0
  const isPeopleOpen = useSignal(panelState, 'byWidth') === 'roomActiveUsers'
  const peopleText = countText(isLive ? live.total : total)
  const roomsText = countText(isLive ? rooms.length : roomCount)
  return (
    <nav className="dock" aria-label="Hızlı erişim">
      <button
        type="button"
        className="dock-button"
        aria-label={`Odadaki kullanıcılar, ${peopleText} kişi`}
        aria-haspopup="dialog"
        aria-expanded={isPeopleOpen}
        onClick={() => togglePanel('roomActiveUsers')}
      >
        <PeopleIcon />
        <span>{peopleText}</span>
      </button>
      <button
        type="button"
        className="dock-button"
        aria-label={`Tüm Odalar, ${roomsText} oda${isNew ? ', yeni mesajlar var' : ''}`}
        aria-haspopup="dialog"
        data-new={isNew}
        onClick={() => openOverlay('allRooms', {})}
      >
        <RoomsIcon />
        <span>{roomsText}</span>
      </button>
      <button
        type="button"
        className="dock-button"
        aria-label="Ayarlar"
        aria-haspopup="dialog"
        onClick={() => openOverlay('settingsSheet', {})}
      >
        <GearIcon />
      </button>
    </nav>
  )
}
