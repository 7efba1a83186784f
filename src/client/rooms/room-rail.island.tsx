import type { ReactNode } from 'react'
import type { RoomPage } from '../../shared/rooms/page.ts'
import { useSignal } from '../use-signal.ts'
import { RoomList } from './room-list.tsx'
import { type ShownRoom, shownRoom } from './shown-room.ts'
import { roomCounts } from './state.ts'

const none = {}

/** The rooms beside the thread, where there is the width for them. */
export function RoomRail({ room, rooms }: Pick<RoomPage, 'rooms'> & { room: ShownRoom }): ReactNode {
  const current = useSignal(shownRoom, null) ?? room
  const counts = useSignal(roomCounts, none)
  return (
    <nav className="room-rail" aria-labelledby="rail-title">
      <h2 id="rail-title" className="room-rail-title">
        Odalar
      </h2>
      <RoomList rooms={rooms} current={current} counts={counts} />
    </nav>
  )
}
