import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ChartIcon } from '../../core/ui/lazy-icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  { menu: 'settings', order: 60, label: 'Genel', icon: ChartIcon, run: () => openOverlay('siteStatus', {}) },
]
