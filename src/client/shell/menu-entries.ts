import { session } from '../accounts/session.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { openOverlay } from './open.ts'

export interface MenuEntry {
  label: string
  run(): void
}

/** What the right-click menu offers now. An entry comes with its feature. */
export function menuEntries(): MenuEntry[] {
  const room = shownRoom.peek()
  if (session.token() === null || !room) return []
  return [{ label: 'Oda Bilgileri', run: () => void openOverlay('roomDetail', { roomId: room.id, name: room.name }) }]
}
