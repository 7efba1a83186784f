import type { ReactNode } from 'react'
import { roomUsersLabel } from '../../../shared/presence/rules.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { DockProps } from '../../core/shell/dock-entry.ts'
import { panelState, togglePanel } from '../../core/shell/panels/panel-state.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { PeopleIcon } from '../../core/ui/lazy-icons.tsx'
import { roomUsers } from '../../model/rooms/room-users-state.ts'

/** The dock's button of the panel of who is in the room. */
export function RoomPeopleButton({ total }: DockProps): ReactNode {
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
      <span>{count}</span> <span>kişi</span>
    </button>
  )
}
