import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ComputerIcon, LeaveIcon } from '../../core/ui/lazy-icons.tsx'
import { logOut } from './log-out.ts'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 70,
    label: 'Oturumlarım',
    icon: ComputerIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('sessions', {}),
  },
  { menu: 'side', order: 100, label: 'Çıkış Yap', icon: LeaveIcon, isDestructive: true, run: logOut },
]
