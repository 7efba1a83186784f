import type { ReactNode } from 'react'
import { clientMessages } from '../../shared/protocol/refusals.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { ArrowIcon } from '../ui/lazy-icons.tsx'
import { RoomActivityMeter } from './room-activity-meter.tsx'
import './top-rooms.css'

interface TopRoomsProps {
  rooms: RoomListing[]
  /** A signed-in user enters directly; others sign in as a guest first, and then enter that room. */
  isSignedIn: boolean
}

/** The number of rooms on the landing page. */
const MAX_TOP_ROOMS = 6

/** The most active rooms as cards with an activity meter. */
export function TopRooms({ rooms, isSignedIn }: TopRoomsProps): ReactNode {
  return (
    <section className="lively" aria-labelledby="lively-title">
      <h2 id="lively-title" className="lively-title">
        Şu an en canlı odalar
      </h2>
      {rooms.length === 0 ? (
        <p className="lively-empty">{clientMessages.RoomNotFound}</p>
      ) : (
        <ul className="lively-rooms">
          {rooms.slice(0, MAX_TOP_ROOMS).map((room) => (
            <li key={room.id} className="house">
              <RoomActivityMeter people={room.activeUsers} />
              <h3 className="house-name">#{room.name}</h3>
              <p className="house-count">
                {room.activeUsers > 0 ? `${countText(room.activeUsers)} kişi içeride` : 'Şimdilik sessiz'}
              </p>
              <EnterRoomButton room={room} isSignedIn={isSignedIn} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A link whose press area is the whole card. */
function EnterRoomButton({ room, isSignedIn }: { room: RoomListing; isSignedIn: boolean }): ReactNode {
  const label = `#${room.name} odasına gir`
  if (isSignedIn) {
    return (
      <a className="door" href={`/room/${room.id}`} aria-label={label}>
        <ArrowIcon />
      </a>
    )
  }
  return (
    <button className="door" type="submit" form="guest-form" name="next" value={`/room/${room.id}`} aria-label={label}>
      <ArrowIcon />
    </button>
  )
}
