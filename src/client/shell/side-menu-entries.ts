import type { Person } from '../../shared/accounts/protocol.ts'
import { BLOCKED_USERS_LABEL } from '../../shared/relations/rules.ts'
import { session } from '../accounts/session.ts'
import { BlockIcon, ComputerIcon, EveryoneIcon, LeaveIcon } from '../ui/later-icons.tsx'
import { PencilIcon, SlidersIcon } from './icons.tsx'
import { openOverlay } from './open.ts'
import { togglePanel } from './panel.ts'

interface SideMenuEntry {
  label: string
  icon: typeof LeaveIcon
  isGrave?: boolean
  /** Whether it is offered to them. Only what is shown: the server decides for itself. */
  isFor(viewer: Person): boolean
  /** What it promises is waited for. */
  open(): unknown
}

const everyone = (): boolean => true

/**
 * The side menu, in the order of specification 2, point 2, "Side menu": Tercihlerim, Odalarım, Gönderilerim, Yüklemeler,
 * Ödemeler, Profili Güncelle, Tüm Kullanıcılar, Çıkış Yap; what it has no place for stands before the last two. A
 * feature adds its own here. Guests have Tercihlerim and Çıkış Yap alone.
 */
export const sideMenuEntries: readonly SideMenuEntry[] = [
  { label: 'Tercihlerim', icon: SlidersIcon, isFor: everyone, open: () => openOverlay('preferences', {}) },
  {
    label: 'Profili Güncelle',
    icon: PencilIcon,
    isFor: ({ isGuest }) => !isGuest,
    open: () => openOverlay('profileEditor', {}),
  },
  {
    label: 'Oturumlarım',
    icon: ComputerIcon,
    isFor: ({ isGuest }) => !isGuest,
    open: () => openOverlay('sessions', {}),
  },
  {
    label: BLOCKED_USERS_LABEL,
    icon: BlockIcon,
    isFor: ({ isGuest }) => !isGuest,
    open: () => openOverlay('blockedUsers', {}),
  },
  {
    label: 'Tüm Kullanıcılar',
    icon: EveryoneIcon,
    isFor: ({ role }) => role === 'rootadmin',
    open: () => togglePanel('allUsers'),
  },
  // Whoever cannot be logged out stays; the connection overlay says what is wrong.
  { label: 'Çıkış Yap', icon: LeaveIcon, isGrave: true, isFor: everyone, open: () => session.logOut() },
]
