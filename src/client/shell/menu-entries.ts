import { BANS_ENTRY, CLEAR_ENTRY } from '../../shared/moderation/rules.ts'
import { BLOCKED_ENTRY } from '../../shared/relations/rules.ts'
import { session } from '../accounts/session.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { openOverlay } from './open.ts'

export interface MenuEntry {
  label: string
  isGrave?: boolean
  run(): void
}

/** What the right-click menu offers now. An entry comes with its feature. */
export function menuEntries(): MenuEntry[] {
  if (session.token() === null) return []
  const blocked = { label: BLOCKED_ENTRY, run: () => void openOverlay('blockedUsers', {}) }
  const room = shownRoom.peek()
  if (!room) return [blocked]
  const place = { roomId: room.id, name: room.name }
  const forAll = [blocked, { label: 'Oda Bilgileri', run: () => void openOverlay('roomDetail', place) }]
  if (!session.isRootAdmin()) return forAll
  return [
    ...forAll,
    { label: CLEAR_ENTRY, isGrave: true, run: () => void openOverlay('clearRoom', place) },
    { label: BANS_ENTRY, run: () => void openOverlay('bans', {}) },
  ]
}
