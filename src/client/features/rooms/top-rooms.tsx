import type { ReactNode } from 'react'
import { clientMessages } from '../../../shared/protocol/refusals.ts'
import type { RoomListing } from '../../../shared/rooms/protocol.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
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
    <section className="top-rooms" aria-labelledby="top-rooms-title">
      <h2 id="top-rooms-title">Şu an en canlı odalar</h2>
      {rooms.length === 0 ? (
        <p className="soft">{clientMessages.RoomNotFound}</p>
      ) : (
        <ul>
          {rooms.slice(0, MAX_TOP_ROOMS).map((room) => (
            <li key={room.id} className="room-card top-room">
              <RoomActivityMeter people={room.activeUsers} />
              <h3>
                <bdi>#{room.name}</bdi>
              </h3>
              <p>{room.activeUsers > 0 ? `${countText(room.activeUsers)} kişi içeride` : 'Şimdilik sessiz'}</p>
              <EnterRoomButton room={room} isSignedIn={isSignedIn} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A link whose clickable area is the whole card. */
function EnterRoomButton({ room, isSignedIn }: { room: RoomListing; isSignedIn: boolean }): ReactNode {
  const label = `#${room.name} odasına gir`
  if (isSignedIn) {
    return (
      <a href={`/room/${room.id}`} aria-label={label}>
        <ArrowIcon />
      </a>
    )
  }
  return (
    <button type="submit" form="guest-form" name="next" value={`/room/${room.id}`} aria-label={label}>
      <ArrowIcon />
    </button>
  )
}
