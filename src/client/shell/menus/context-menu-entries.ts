import { BANNED_USERS_LABEL, CLEAR_ROOM_LABEL } from '../../../shared/moderation/rules.ts'
import { BLOCKED_USERS_LABEL } from '../../../shared/relations/rules.ts'
import { session } from '../../accounts/session.ts'
import { shownRoom } from '../../rooms/shown-room.ts'
import { openOverlay } from '../overlays/overlays.ts'

export interface ContextMenuEntry {
  label: string
  isDestructive?: boolean
  run(): void
}

/** What the right-click menu offers now. An entry comes with its feature. */
export function contextMenuEntries(): ContextMenuEntry[] {
  if (session.token() === null) return []
  const blocked = { label: BLOCKED_USERS_LABEL, run: () => void openOverlay('blockedUsers', {}) }
  const room = shownRoom.peek()
  if (!room) return [blocked]
  const place = { roomId: room.id, name: room.name }
  const forAll = [blocked, { label: 'Oda Bilgileri', run: () => void openOverlay('roomDetail', place) }]
  if (!session.isRootAdmin()) return forAll
  return [
    ...forAll,
    { label: CLEAR_ROOM_LABEL, isDestructive: true, run: () => void openOverlay('clearRoomDialog', place) },
    { label: BANNED_USERS_LABEL, run: () => void openOverlay('bansSheet', {}) },
  ]
}
