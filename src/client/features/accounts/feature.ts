import { roleTexts } from '../../../shared/accounts/role-texts.ts'
import { SIGN_UP_DONE } from '../../../shared/accounts/rules.ts'
import { allowUnload } from '../../core/navigation/unload-guard.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { readBoot } from '../../core/session/boot.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { ComputerIcon, LeaveIcon } from '../../core/ui/lazy-icons.tsx'
import { logOut } from '../../model/accounts/log-out.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { isBanned } from '../../model/moderation/bans.ts'

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

/** Welcomes a user who has just registered with the form of the landing page, which leads to this room. */
function toastSignUp(): void {
  const { tabStorage } = browserEnvironment
  const isMember = readBoot().session?.user.isGuest === false
  if (tabStorage.get('form')?.endsWith('/register') && isMember) void toast(SIGN_UP_DONE, 'success')
  tabStorage.set('form', null)
}

/**
 * Leaves a page that the back button restores from the back/forward cache when its user has logged out since, in this tab
 * or in another: no events reached the page meanwhile.
 */
function guardBfcache(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || session.hasSameUser()) return
    allowUnload()
    location.replace('/')
  })
}
