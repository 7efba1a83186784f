import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import { EveryoneIcon } from '../../core/ui/lazy-icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 90,
    label: 'Tüm Kullanıcılar',
    icon: EveryoneIcon,
    isAvailable: ({ isRootAdmin }) => isRootAdmin,
    run: () => togglePanel('allUsers'),
  },
]
