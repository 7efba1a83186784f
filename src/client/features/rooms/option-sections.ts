import type { OptionSection } from '../../model/wallet/option-section.ts'

export const optionSections: readonly OptionSection[] = [
  {
    order: 10,
    title: 'Oda kapasiteleri',
    hint: 'Sipariş edilmiş odalar kendi kapasitesini ve fiyatını korur.',
    load: async () => ({ component: (await import('./room-option-sections.tsx')).CapacityOptionsSection }),
  },
  {
    order: 20,
    title: 'Oda süreleri',
    hint: 'İndirim, kapasitenin fiyatından düşülür.',
    load: async () => ({ component: (await import('./room-option-sections.tsx')).DurationOptionsSection }),
  },
]
