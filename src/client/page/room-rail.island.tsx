import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { type ShownRoom, shownRoom } from '../core/session/shown-room.ts'
import { openOverlay } from '../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { ChevronIcon, GearIcon } from '../core/ui/lazy-icons.tsx'
import { unreadMentions } from '../features/notifications/unread-count.ts'
import { putCurrentFirst, putFirst, RAIL_TOP_ROOMS, sortByActivity } from '../features/rooms/sort-rooms.ts'
import { unreadRoomIds } from '../features/rooms/unread-rooms-state.ts'
import { listedRooms, roomCounts, watchRoomCounts } from '../model/rooms/room-users-state.ts'
import { RoomList } from './room-list.tsx'

const NO_COUNTS = {}
const NO_UNREAD_ROOMS: ReadonlySet<RoomId> = new Set()
const NO_MENTIONS: ReadonlyMap<RoomId, number> = new Map()

/** The rooms beside the thread on wide screens: the current one, those with mentions and the most active others. */
export function RoomRail({ room, rooms }: Pick<RoomPageProps, 'rooms'> & { room: ShownRoom }): ReactNode {
  const current = useSignalValue(shownRoom, null) ?? room
  const counts = useSignalValue(roomCounts, NO_COUNTS)
  const liveRooms = useSignalValue(listedRooms, rooms)
  const unreadIds = useSignalValue(unreadRoomIds, NO_UNREAD_ROOMS)
  const mentions = useSignalValue(unreadMentions, NO_MENTIONS)
  const [isFolded, setFolded] = useState(false)
  const rail = useRef<HTMLElement>(null)
  useWatchedCounts(rail)
  const all = liveRooms.length > 0 ? liveRooms : rooms
  const ordered = putCurrentFirst(putFirst(sortByActivity(all, counts), mentions), current, counts)

  return (
    <nav ref={rail} className="room-rail" aria-labelledby="rail-title">
      <header>
        <h2 id="rail-title">Odalar</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Oda Yönetimi"
          title="Oda Yönetimi"
          aria-haspopup="dialog"
          onClick={() => openOverlay('roomManagement', { roomId: current.id })}
        >
          <GearIcon size={18} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Canlı odaları göster"
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          <ChevronIcon size={18} />
        </button>
      </header>
      <RoomList
        rooms={isFolded ? ordered.slice(0, 1) : ordered}
        maxShown={RAIL_TOP_ROOMS}
        currentId={current.id}
        unreadRoomIds={unreadIds}
      />
      {ordered.length > RAIL_TOP_ROOMS && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openOverlay('allRooms', {})}>
          Tüm Odalar
        </button>
      )}
    </nav>
  )
}

/** Watches the counts of the busiest rooms while the element is on the screen. */
function useWatchedCounts(element: RefObject<Element | null>): void {
  useEffect(() => {
    let unwatch: (() => void) | null = null
    const observer = new IntersectionObserver((entries) => {
      const isShown = entries.at(-1)?.isIntersecting ?? false
      if (isShown) unwatch ??= watchRoomCounts('busiest')
      else {
        unwatch?.()
        unwatch = null
      }
    })
    if (element.current) observer.observe(element.current)
    return () => {
      observer.disconnect()
      unwatch?.()
    }
  }, [element])
}
