import type { MenuEntry } from '../shell/menus/menu-entries.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { ComputerIcon, LeaveIcon } from '../ui/lazy-icons.tsx'
import { session } from './session.ts'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 70,
    label: 'Oturumlarım',
    icon: ComputerIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('sessions', {}),
  },
  // When the log-out fails the user stays, and the connection overlay says what is wrong.
  { menu: 'side', order: 100, label: 'Çıkış Yap', icon: LeaveIcon, isDestructive: true, run: () => session.logOut() },
]
