import { REQUESTS_TITLE } from '../../../shared/wallet/request-texts.ts'
import { STAR_REQUESTS_TITLE } from '../../../shared/wallet/star-texts.ts'
import { STATEMENT_TITLE } from '../../../shared/wallet/statement-texts.ts'
import { WITHDRAWALS_TITLE } from '../../../shared/wallet/withdrawal-texts.ts'
import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon } from '../../core/ui/lazy-icons.tsx'
import { LoadIcon, RequestsIcon, StatementIcon, WithdrawalIcon } from '../../model/wallet/icons.tsx'

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
    order: 50,
    label: WITHDRAWALS_TITLE,
    icon: WithdrawalIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => openOverlay('withdrawalRequests', {}),
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
    order: 92,
    label: REQUESTS_TITLE,
    icon: RequestsIcon,
    isAvailable: ({ isRootAdmin }) => isRootAdmin,
    run: () => openOverlay('requestsScreen', {}),
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
