import { roleTexts } from '../../../shared/accounts/role-texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { isBanned } from '../../model/moderation/bans.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 60,
    label: roleTexts.promote.menuLabel,
    isAvailable: (person) => session.isRootAdmin() && person.role === 'member' && !isBanned(person),
    run: ({ username }) => void openOverlay('changeRoleDialog', { username, change: 'promote' }),
  },
  {
    order: 70,
    label: roleTexts.demote.menuLabel,
    isDestructive: true,
    isAvailable: ({ id, role }) => session.isRootAdmin() && role === 'rootadmin' && !session.isSelf(id),
    run: ({ username }) => void openOverlay('changeRoleDialog', { username, change: 'demote' }),
  },
]
