import type { Person } from '../../../shared/accounts/protocol.ts'
import { BLOCKED_USERS_LABEL } from '../../../shared/relations/rules.ts'
import { session } from '../../accounts/session.ts'
import { BlockIcon, ComputerIcon, EveryoneIcon, LeaveIcon } from '../../ui/lazy-icons.tsx'
import { openOverlay } from '../overlays/overlays.ts'
import { togglePanel } from '../panels/panel-state.ts'
import { PencilIcon, SlidersIcon } from './icons.tsx'

interface SideMenuEntry {
  label: string
  icon: typeof LeaveIcon
  isDestructive?: boolean
  /** Whether it is offered to them. Only what is shown: the server decides for itself. */
  isAvailableFor(viewer: Person): boolean
  /** What it promises is waited for. */
  run(): unknown
}

const always = (): boolean => true

/**
 * The side menu, in the order of specification 2, point 2, "Side menu": Tercihlerim, Odalarım, Gönderilerim, Yüklemeler,
 * Ödemeler, Profili Güncelle, Tüm Kullanıcılar, Çıkış Yap; what it has no place for stands before the last two. A
 * feature adds its own here. Guests have Tercihlerim and Çıkış Yap alone.
 */
export const sideMenuEntries: readonly SideMenuEntry[] = [
  { label: 'Tercihlerim', icon: SlidersIcon, isAvailableFor: always, run: () => openOverlay('preferences', {}) },
  {
    label: 'Profili Güncelle',
    icon: PencilIcon,
    isAvailableFor: ({ isGuest }) => !isGuest,
    run: () => openOverlay('profileEditor', {}),
  },
  {
    label: 'Oturumlarım',
    icon: ComputerIcon,
    isAvailableFor: ({ isGuest }) => !isGuest,
    run: () => openOverlay('sessions', {}),
  },
  {
    label: BLOCKED_USERS_LABEL,
    icon: BlockIcon,
    isAvailableFor: ({ isGuest }) => !isGuest,
    run: () => openOverlay('blockedUsers', {}),
  },
  {
    label: 'Tüm Kullanıcılar',
    icon: EveryoneIcon,
    isAvailableFor: ({ role }) => role === 'rootadmin',
    run: () => togglePanel('allUsers'),
  },
  // Whoever cannot be logged out stays; the connection overlay says what is wrong.
  { label: 'Çıkış Yap', icon: LeaveIcon, isDestructive: true, isAvailableFor: always, run: () => session.logOut() },
]
