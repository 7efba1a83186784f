import { roleTexts } from '../../../shared/accounts/role-texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ComputerIcon, LeaveIcon } from '../../core/ui/lazy-icons.tsx'
import { logOut } from '../../model/accounts/log-out.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { isBanned } from '../../model/moderation/bans.ts'
import { guardBfcache } from './sessions/bfcache-guard.ts'
import { toastSignUp } from './sign-up/sign-up-toast.ts'

export const feature: ClientFeature = {
  start,
  menuEntries: [
    {
      menu: 'side',
      order: 70,
      label: 'Oturumlarım',
      icon: ComputerIcon,
      isAvailable: ({ isGuest }) => !isGuest,
      run: () => openOverlay('sessions', {}),
    },
    { menu: 'side', order: 100, label: 'Çıkış Yap', icon: LeaveIcon, isDestructive: true, run: logOut },
  ],
  personMenuEntries: [
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
  ],
}

/** What a room's page starts for accounts. */
function start(): void {
  guardBfcache()
  toastSignUp()
}
