import type { OptionSection } from '../../model/wallet/option-section.ts'

export const optionSections: readonly OptionSection[] = [
  {
    order: 30,
    title: 'Yükleme tutarları',
    hint: 'Bakiye yüklerken seçilebilen tutarlar.',
    load: async () => ({ component: (await import('./amount-sections.tsx')).StarOptionsSection }),
  },
  {
    order: 40,
    title: 'Ödeme tutarları',
    hint: 'Ödeme alırken seçilebilen tutarlar.',
    load: async () => ({ component: (await import('./amount-sections.tsx')).WithdrawalOptionsSection }),
  },
  {
    order: 50,
    title: 'Premium',
    hint: 'Yeni alınan Premium için geçerlidir.',
    load: async () => ({ component: (await import('./premium-section.tsx')).PremiumSection }),
  },
  {
    order: 60,
    title: 'Banka bilgileri',
    hint: 'Bakiye yükleyenler parayı bu hesaba gönderir.',
    load: async () => ({ component: (await import('./bank-section.tsx')).BankSection }),
  },
]
