import type { OptionSection } from '../../model/wallet/option-section.ts'

export const optionSections: readonly OptionSection[] = [
  {
    order: 70,
    title: 'Hediyeler',
    hint: 'Kalan pay sitenin geliridir. Verilmiş hediyeler değişmez.',
    load: async () => ({ component: (await import('./gift-options-section.tsx')).GiftOptionsSection }),
  },
]
