import { REQUESTS_TITLE } from '../../../shared/wallet/requests/texts.ts'
import { STATEMENT_TITLE } from '../../../shared/wallet/statement/texts.ts'
import { TOP_UPS_TITLE } from '../../../shared/wallet/top-ups/texts.ts'
import { WITHDRAWAL_TITLE, WITHDRAWALS_TITLE } from '../../../shared/wallet/withdrawals/texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { RequestsIcon, StatementIcon, TopUpIcon, WithdrawalIcon } from '../../model/wallet/icons.tsx'
import { openTopUp } from '../../model/wallet/open-top-up.ts'

export const feature: ClientFeature = {
  menuEntries: [
    {
      menu: 'side',
      order: 40,
      label: TOP_UPS_TITLE,
      icon: TopUpIcon,
      isAvailable: ({ isGuest }) => !isGuest,
      run: () => openOverlay('ownRequests', { kind: 'star' }),
    },
    {
      menu: 'side',
      order: 50,
      label: WITHDRAWALS_TITLE,
      icon: WithdrawalIcon,
      isAvailable: ({ isGuest }) => !isGuest,
      run: () => openOverlay('ownRequests', { kind: 'withdrawal' }),
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
  ],
  optionSections: [
    {
      order: 30,
      title: 'Yükleme tutarları',
      hint: 'Bakiye yüklerken seçilebilen tutarlar.',
      load: async () => ({ component: (await import('./options/amount-sections.tsx')).StarOptionsSection }),
    },
    {
      order: 40,
      title: 'Ödeme tutarları',
      hint: 'Ödeme alırken seçilebilen tutarlar.',
      load: async () => ({ component: (await import('./options/amount-sections.tsx')).WithdrawalOptionsSection }),
    },
    {
      order: 50,
      title: 'Premium',
      hint: 'Yeni alınan Premium için geçerlidir.',
      load: async () => ({ component: (await import('./options/premium-section.tsx')).PremiumSection }),
    },
    {
      order: 60,
      title: 'Banka bilgileri',
      hint: 'Bakiye yükleyenler parayı bu hesaba gönderir.',
      load: async () => ({ component: (await import('./options/bank-section.tsx')).BankSection }),
    },
  ],
  actionLinks: {
    moneyRequest: {
      label: 'Talebi göster',
      isAvailable: ({ target }) => typeof target?.currentUsername === 'string',
      open: ({ target }) =>
        void openOverlay('requestsScreen', { search: target?.currentUsername ?? '', status: 'all' }),
    },
  },
  walletActions: [
    { order: 10, label: 'Bakiye Yükle', icon: TopUpIcon, run: openTopUp },
    {
      order: 20,
      label: WITHDRAWAL_TITLE,
      icon: WithdrawalIcon,
      run: () => openOverlay('withdrawalWizard', {}),
    },
  ],
}
