import type { ReactNode } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { countText } from '../ui/format/turkish-number.ts'
import './room-list.css'

interface RoomListProps {
  rooms: readonly RoomListing[]
  currentId: RoomId
  /** Rooms visited in this session with a new message since. */
  unreadRoomIds: ReadonlySet<RoomId>
}

/** Links to rooms, in the order given. */
export function RoomList({ rooms, currentId, unreadRoomIds }: RoomListProps): ReactNode {
  return (
    <ul className="room-list">
      {rooms.map((room) => (
        <li key={room.id}>
          <RoomLink room={room} isCurrent={room.id === currentId} hasUnread={unreadRoomIds.has(room.id)} />
        </li>
      ))}
    </ul>
  )
}

interface RoomLinkProps {
  room: RoomListing
  isCurrent: boolean
  hasUnread: boolean
  /** Shows 'kişi' beside the count, not only to screen readers. */
  isUnitShown?: boolean
}

export function RoomLink({ room, isCurrent, hasUnread, isUnitShown = false }: RoomLinkProps): ReactNode {
  return (
    <a className="room-link" href={`/room/${room.id}`} {...(isCurrent && { 'aria-current': 'page' })}>
      <span className="room-link-name">
        <span aria-hidden="true">#</span>
        <bdi>{room.name}</bdi>
      </span>
      {hasUnread && (
        <span className="room-link-new" title="Yeni mesajlar var">
          <span className="visually-hidden">, yeni mesajlar var</span>
        </span>
      )}
      <span className="room-link-count" data-lively={room.activeUsers > 0}>
        {countText(room.activeUsers)}
        <span {...(!isUnitShown && { className: 'visually-hidden' })}> kişi</span>
      </span>
    </a>
  )
}
