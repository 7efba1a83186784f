import type { ActionKindSpec } from '../audit/action-kind.ts'
import { PRICE_BEFORE_LABEL } from '../wallet/options/price-before-label.ts'

export const actionKinds = {
  giftKindChanged: {
    label: 'Hediyeyi değiştirdi',
    details: { name: 'Hediye', price: 'Fiyat (TL)', isActive: 'Açık', priceBefore: PRICE_BEFORE_LABEL },
  },
  giftShareChanged: {
    label: 'Hediye payını değiştirdi',
    details: { sharePercent: 'Pay (%)', sharePercentBefore: 'Önceki pay (%)' },
  },
} as const satisfies Record<string, ActionKindSpec>
