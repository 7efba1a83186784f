import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { SlidersIcon } from './icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  { menu: 'side', order: 10, label: 'Tercihlerim', icon: SlidersIcon, run: () => openOverlay('preferences', {}) },
]
