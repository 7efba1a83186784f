import type { ReactNode } from 'react'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { PagePanelProps } from '../../core/shell/panels/panel-state.ts'
import { SidePanel } from '../../core/shell/panels/side-panel.tsx'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { roomUsers } from '../../model/rooms/room-users-state.ts'
import { RoomPeople } from './room-people.tsx'

/** The people of the room: those of the rendered page until the room's state has loaded. */
export function RoomPeoplePanel({ roomId, users, total, viewer, isWide, isOpen }: PagePanelProps): ReactNode {
  const room = useSignalValue(shownRoom, null)
  const known = useSignalValue(roomUsers, roomUsers.peek())
  const people = room === null ? { users, total, isComplete: users.length >= total, state: 'loaded' as const } : known
  const title = (
    <>
      Odadakiler <span className="panel-count">{countText(people.total)}</span>
    </>
  )
  return (
    <SidePanel title={title} titleId="people-title" isWide={isWide} isOpen={isOpen}>
      {/* A search belongs to the room in which it was made. */}
      <RoomPeople key={room?.id ?? roomId} people={people} viewer={viewer} />
    </SidePanel>
  )
}
