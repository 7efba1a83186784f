import { BAN_LABEL, GHOST_BAN_LABEL, LIFT_BAN_LABEL } from '../../../shared/moderation/rules.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { isBanned, isGhostBanned, requestBanLift } from '../../model/moderation/bans.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 39,
    label: GHOST_BAN_LABEL,
    isDestructive: true,
    isAvailable: (person) => session.isRootAdmin() && person.isGuest && !isGhostBanned(person) && !isBanned(person),
    run: ({ id, username }) => void openOverlay('ghostBanForm', { id, username }),
  },
  {
    order: 40,
    label: BAN_LABEL,
    isDestructive: true,
    isAvailable: (person) => session.isRootAdmin() && person.role !== 'rootadmin' && !isBanned(person),
    run: ({ username }) => void openOverlay('banForm', { username }),
  },
  {
    order: 50,
    label: LIFT_BAN_LABEL,
    isAvailable: (person) => session.isRootAdmin() && (isBanned(person) || isGhostBanned(person)),
    run: (person) => void requestBanLift(person),
  },
]
