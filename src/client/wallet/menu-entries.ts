import { STAR_REQUESTS_TITLE } from '../../shared/wallet/star-texts.ts'
import { STATEMENT_TITLE } from '../../shared/wallet/statement-texts.ts'
import type { MenuEntry } from '../shell/menus/menu-entries.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { GearIcon } from '../ui/lazy-icons.tsx'
import { LoadIcon, StatementIcon } from './icons.tsx'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 40,
    label: STAR_REQUESTS_TITLE,
    icon: LoadIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('starRequests', {}),
  },
  {
    menu: 'side',
    order: 55,
    label: STATEMENT_TITLE,
    icon: StatementIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('statement', {}),
  },
  {
    menu: 'side',
    order: 95,
    label: 'Seçenekler',
    icon: GearIcon,
    isAvailable: ({ isRootAdmin }) => isRootAdmin,
    run: () => openOverlay('optionsScreen', {}),
  },
]
