import { type ReactNode, useEffect, useId, useState } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { clientMessages } from '../../shared/protocol/refusals.ts'
import type { OwnRoom } from '../../shared/room-orders/own-room.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { shownRoom } from '../core/session/shown-room.ts'
import { type OverlayProps, openOverlay } from '../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { Sheet } from '../core/ui/dialogs/sheet.tsx'
import { countText } from '../core/ui/format/turkish-number.ts'
import { GearIcon } from '../core/ui/lazy-icons.tsx'
import { useHeldOrder } from '../core/ui/lists/use-held-order.ts'
import { useLoaded } from '../core/ui/lists/use-loaded.ts'
import { DaysLeftButton } from '../features/room-orders/days-left-button.tsx'
import { useOwnRooms } from '../features/room-orders/state.ts'
import { RoomActivityMeter } from '../features/rooms/room-activity-meter.tsx'
import { SHEET_TOP_ROOMS, sortByActivity } from '../features/rooms/sort-rooms.ts'
import { unreadRoomIds } from '../features/rooms/unread-rooms-state.ts'
import {
  listedRoomCount,
  listedRooms,
  loadRooms,
  roomCounts,
  watchRoomCounts,
} from '../model/rooms/room-users-state.ts'
import { RoomLink } from './room-list.tsx'
import '../core/ui/forms/field.css'
import './all-rooms-sheet.css'

const NO_ROOMS: readonly RoomListing[] = []
const NO_COUNTS = {}
const NO_UNREAD_ROOMS: ReadonlySet<RoomId> = new Set()

/**
 * 'Tüm Odalar': the current room, the three most active others, then the rest; each with a button that opens its
 * details.
 */
export function AllRoomsSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const rooms = useSignalValue(listedRooms, NO_ROOMS)
  const roomCount = useSignalValue(listedRoomCount, 0)
  const counts = useSignalValue(roomCounts, NO_COUNTS)
  const { state, reload } = useLoaded(loadAll)
  useEffect(() => watchRoomCounts('all'), [])
  const current = useSignalValue(shownRoom, null)
  const { ordered, holdProps } = useHeldOrder(sortByActivity(rooms, counts), state === 'loaded')
  const here = ordered.filter(({ id }) => id === current?.id)
  const others = ordered.filter(({ id }) => id !== current?.id)
  return (
    <Sheet
      isPage
      title={
        <>
          Tüm Odalar <span className="panel-count">{countText(roomCount)}</span>
        </>
      }
      titleId={titleId}
      side="whole"
      onClose={onClose}
    >
      <nav className="panel-scroll all-rooms" aria-labelledby={titleId} {...holdProps}>
        {ordered.length === 0 && state === 'loading' && <p className="soft">Yükleniyor...</p>}
        {ordered.length === 0 && state === 'loaded' && <p className="empty">{clientMessages.RoomNotFound}</p>}
        {state === 'failed' && (
          <p className="soft" role="alert">
            Odalar yenilenemedi.{' '}
            <button type="button" className="link-button" onClick={reload}>
              Tekrar dene
            </button>
          </p>
        )}
        <Rooms title="Buradasın" place="here" rooms={here} />
        <Rooms title="En canlı odalar" place="top" rooms={others.slice(0, SHEET_TOP_ROOMS)} />
        <OtherRooms rooms={others.slice(SHEET_TOP_ROOMS)} />
      </nav>
    </Sheet>
  )
}

async function loadAll(): Promise<true> {
  if (!(await loadRooms())) throw new Error('the rooms did not come')
  return true
}

/** Filters a long list by name. */
const MIN_ROOMS_FOR_SEARCH = 12

function OtherRooms({ rooms }: { rooms: readonly RoomListing[] }): ReactNode {
  const [wanted, setWanted] = useState('')
  const fold = (text: string): string => text.toLocaleLowerCase('tr')
  const found = rooms.filter(({ name }) => fold(name).includes(fold(wanted.trim())))
  return (
    <>
      {rooms.length >= MIN_ROOMS_FOR_SEARCH && (
        <input
          className="field-input field-input--low"
          type="search"
          aria-label="Odalarda ara"
          placeholder="Odalarda ara..."
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <Rooms title="Diğer odalar" place="rest" rooms={found} />
      {rooms.length > 0 && found.length === 0 && <p className="empty">{clientMessages.RoomNotFound}</p>}
    </>
  )
}

interface RoomsProps {
  title: string
  place: 'here' | 'top' | 'rest'
  rooms: readonly RoomListing[]
}

function Rooms({ title, place, rooms }: RoomsProps): ReactNode {
  const unreadIds = useSignalValue(unreadRoomIds, NO_UNREAD_ROOMS)
  const titleId = useId()
  const ownRooms = useOwnRooms('created').rooms
  if (rooms.length === 0) return null
  return (
    <section aria-labelledby={titleId} data-place={place}>
      <h3 id={titleId}>{title}</h3>
      <ul>
        {rooms.map((room) => (
          <li key={room.id} className="room-card listed-room">
            <RoomActivityMeter people={room.activeUsers} />
            <RoomLink room={room} isCurrent={place === 'here'} hasUnread={unreadIds.has(room.id)} isUnitShown />
            <DetailButton room={room} />
            <OwnerWarning room={ownRooms?.find(({ id }) => id === room.id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The owner is warned of the expiry here, and extends. */
function OwnerWarning({ room }: { room: OwnRoom | undefined }): ReactNode {
  return room && <DaysLeftButton room={room} />
}

function DetailButton({ room: { id, name } }: { room: RoomListing }): ReactNode {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`#${name}: Oda Bilgileri`}
      title="Oda Bilgileri"
      aria-haspopup="dialog"
      onClick={() => openOverlay('roomDetail', { roomId: id, name })}
    >
      <GearIcon size={18} />
    </button>
  )
}
