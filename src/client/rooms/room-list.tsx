import { type ReactNode, useState } from 'react'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { countText } from '../ui/turkish-number.ts'
import type { ShownRoom } from './shown-room.ts'
import './room-list.css'

interface RoomListProps {
  rooms: RoomListing[]
  current: ShownRoom
  /** People by room, as far as the live connection has told. */
  counts: Readonly<Record<number, number>>
}

/** How many rooms are shown before 'Tüm Odalar' is pressed (specification 2, point 9). */
const FIRST_ROOMS = 6

/** Links to the rooms: the present one first, then the liveliest. */
export function RoomList({ rooms, current, counts }: RoomListProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const others = rooms.filter((room) => room.id !== current.id)
  const here = rooms.find((room) => room.id === current.id) ?? { ...current, activeUsers: 0 }
  const ordered = [here, ...others]
  const shown = isWhole ? ordered : ordered.slice(0, FIRST_ROOMS)

  return (
    <>
      <ul className="room-list">
        {shown.map((room) => (
          <li key={room.id}>
            <RoomLink room={room} count={counts[room.id] ?? room.activeUsers} isCurrent={room.id === current.id} />
          </li>
        ))}
      </ul>
      {ordered.length > shown.length && (
        <button type="button" className="button room-list-more" onClick={() => setWhole(true)}>
          Tüm Odalar
        </button>
      )}
    </>
  )
}

function RoomLink({ room, count, isCurrent }: { room: RoomListing; count: number; isCurrent: boolean }): ReactNode {
  return (
    <a className="room-link" href={`/room/${room.id}`} {...(isCurrent && { 'aria-current': 'page' })}>
      <span className="room-link-name">
        <span aria-hidden="true">#</span>
        {room.name}
      </span>
      <span className="room-link-count" data-lively={count > 0}>
        {countText(count)}
        <span className="visually-hidden"> kişi</span>
      </span>
    </a>
  )
}
