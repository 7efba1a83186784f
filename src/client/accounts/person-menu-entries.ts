import { roleTexts } from '../../shared/accounts/role-texts.ts'
import { isBanned } from '../moderation/bans.ts'
import type { PersonMenuEntry } from '../profiles/person-menu.tsx'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { session } from './session.ts'

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
