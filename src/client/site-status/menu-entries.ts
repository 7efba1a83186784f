import type { MenuEntry } from '../shell/menus/menu-entries.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { ChartIcon } from '../ui/lazy-icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  { menu: 'settings', order: 60, label: 'Genel', icon: ChartIcon, run: () => openOverlay('siteStatus', {}) },
]
