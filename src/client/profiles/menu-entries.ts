import type { MenuEntry } from '../shell/menus/menu-entries.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { PencilIcon } from './icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 60,
    label: 'Profili Güncelle',
    icon: PencilIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('profileEditor', {}),
  },
]
