import type { ReactNode } from 'react'
import { roomUsersLabel } from '../../shared/presence/rules.ts'
import { roomUsers } from '../rooms/room-users-state.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import type { DockEntry, DockProps } from '../shell/dock.island.tsx'
import { panelState, togglePanel } from '../shell/panels/panel-state.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { PeopleIcon } from '../ui/lazy-icons.tsx'
import { useSignalValue } from '../use-signal-value.ts'

export const dockEntries: readonly DockEntry[] = [{ order: 10, component: RoomPeopleButton }]

function RoomPeopleButton({ total }: DockProps): ReactNode {
  const isLive = useSignalValue(shownRoom, null) !== null
  const people = useSignalValue(roomUsers, roomUsers.peek())
  const isOpen = useSignalValue(panelState, 'byWidth') === 'roomActiveUsers'
  const count = countText(isLive ? people.total : total)
  return (
    <button
      type="button"
      className="dock-button"
      aria-label={roomUsersLabel(count)}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => togglePanel('roomActiveUsers')}
    >
      <PeopleIcon />
      <span>{count}</span> <span className="dock-label">kişi</span>
    </button>
  )
}
