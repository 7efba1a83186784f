import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { PencilIcon } from '../../core/ui/person/icons.tsx'

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
