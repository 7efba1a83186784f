import type { ReactNode } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { countText } from '../core/ui/format/turkish-number.ts'
import { useHeldOrder } from '../core/ui/lists/use-held-order.ts'
import { unreadMentions } from '../features/notifications/unread-count.ts'
import './room-list.css'
import '../core/ui/unread-badge.lazy.css'

const NO_MENTIONS: ReadonlyMap<RoomId, number> = new Map()

interface RoomListProps {
  rooms: readonly RoomListing[]
  maxShown: number
  currentId: RoomId
  /** Rooms visited in this session with a new message since. */
  unreadRoomIds: ReadonlySet<RoomId>
}

/** Links to the first rooms in the order given, which is held under a pointer and the keyboard's focus. */
export function RoomList({ rooms, maxShown, currentId, unreadRoomIds }: RoomListProps): ReactNode {
  const { ordered, holdProps } = useHeldOrder(rooms)
  return (
    <ul className="room-list" {...holdProps}>
      {ordered.slice(0, maxShown).map((room) => (
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
  const mentions = useSignalValue(unreadMentions, NO_MENTIONS).get(room.id) ?? 0
  return (
    <a className="room-link" href={`/room/${room.id}`} {...(isCurrent && { 'aria-current': 'page' })}>
      <span className="room-link-name">
        <span aria-hidden="true">#</span>
        <bdi>{room.name}</bdi>
      </span>
      {!isCurrent && mentions > 0 ? (
        <MentionMark count={mentions} />
      ) : (
        hasUnread && (
          <span className="room-link-new" title="Yeni mesajlar var">
            <span className="visually-hidden">, yeni mesajlar var</span>
          </span>
        )
      )}
      <span className="room-link-count" data-lively={room.activeUsers > 0}>
        {countText(room.activeUsers)}
        <span {...(!isUnitShown && { className: 'visually-hidden' })}> kişi</span>
      </span>
    </a>
  )
}

function MentionMark({ count }: { count: number }): ReactNode {
  const text = `${countText(count)} okunmamış bahsetme`
  return (
    <span className="unread-badge fixed" title={text}>
      <span aria-hidden="true">@{count > 1 && countText(count)}</span>
      <span className="visually-hidden">, {text}</span>
    </span>
  )
}
