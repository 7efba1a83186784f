import type { RoomId } from '../../../shared/protocol/ids.ts'
import { LIFT_MUTE_LABEL, MUTE_LABEL, WARN_LABEL } from '../../../shared/sanctions/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { roomConversations } from '../../model/room-chat/state.ts'
import { isMutedIn, requestMuteLift } from './mutes.ts'
import { shownRoomStaff } from './shown-room-staff.ts'

type Target = Parameters<PersonMenuEntry['run']>[0]

/** The shown room if the viewer runs it, whom its chat limits exempt; else null. */
function managedRoomId(): RoomId | null {
  const { isExempt = false, roomId = null } = roomConversations.current ?? {}
  return isExempt ? roomId : null
}

/** The places where the viewer may mute this person: the site (null) and the shown room. */
function placesFor({ id, role }: Target): (RoomId | null)[] {
  if (role === 'rootadmin' || session.isSelf(id)) return []
  const roomId = managedRoomId()
  const rooms = roomId === null || shownRoomStaff.has(id) ? [] : [roomId]
  return session.isRootAdmin() ? [null, ...rooms] : rooms
}

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 31,
    label: WARN_LABEL,
    isAvailable: ({ id, role }) => session.isRootAdmin() && role !== 'rootadmin' && !session.isSelf(id),
    run: ({ username }) => void openOverlay('warnForm', { username }),
  },
  {
    order: 32,
    label: MUTE_LABEL,
    isDestructive: true,
    isAvailable: (person) => placesFor(person).some((roomId) => !isMutedIn(person, roomId)),
    run: ({ username }) => void openOverlay('muteForm', { username, roomId: managedRoomId() }),
  },
  {
    order: 33,
    label: LIFT_MUTE_LABEL,
    isAvailable: (person) => placesFor(person).some((roomId) => isMutedIn(person, roomId)),
    run: (person) => {
      const { id: userId, username } = person
      for (const roomId of placesFor(person))
        if (isMutedIn(person, roomId)) void requestMuteLift({ userId, username, roomId })
    },
  },
]
