import { BLOCKED_USERS_LABEL } from '../../../shared/relations/rules.ts'
import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { BlockIcon } from '../../core/ui/lazy-icons.tsx'

const blockedUsers = { label: BLOCKED_USERS_LABEL, icon: BlockIcon, run: () => openOverlay('blockedUsers', {}) }

export const menuEntries: readonly MenuEntry[] = [
  { ...blockedUsers, menu: 'side', order: 80, isAvailable: ({ isGuest }) => !isGuest },
  { ...blockedUsers, menu: 'context', order: 10 },
  { ...blockedUsers, menu: 'settings', order: 10 },
]
