import type { ReactNode } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { shownRoom } from '../core/session/shown-room.ts'
import type { DockProps } from '../core/shell/dock-entry.ts'
import { openOverlay } from '../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { countText } from '../core/ui/format/turkish-number.ts'
import { RoomsIcon } from '../core/ui/lazy-icons.tsx'
import { unreadMentions } from '../features/notifications/unread-count.ts'
import { unreadRoomIds } from '../features/rooms/unread-rooms-state.ts'
import { listedRoomCount } from '../model/rooms/room-users-state.ts'

const NO_MENTIONS: ReadonlyMap<RoomId, number> = new Map()
const noRooms: ReadonlySet<RoomId> = new Set()

/** The dock's button of 'Tüm Odalar'. */
export function AllRoomsButton({ roomCount }: DockProps): ReactNode {
  const isLive = useSignalValue(shownRoom, null) !== null
  const liveCount = useSignalValue(listedRoomCount, roomCount)
  const hasMentions = useSignalValue(unreadMentions, NO_MENTIONS).size > 0
  const isUnread = useSignalValue(unreadRoomIds, noRooms).size > 0 || hasMentions
  const count = countText(isLive ? liveCount : roomCount)
  return (
    <button
      type="button"
      className="dock-button"
      aria-label={`Tüm Odalar, ${count} oda${isUnread ? ', yeni mesajlar var' : ''}`}
      aria-haspopup="dialog"
      data-new={isUnread}
      onClick={() => openOverlay('allRooms', {})}
    >
      <RoomsIcon />
      <span>{count}</span> <span>oda</span>
    </button>
  )
}
