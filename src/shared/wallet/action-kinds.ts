import type { ActionKindSpec } from '../audit/action-kind.ts'
import { PRICE_BEFORE_LABEL } from './options/price-before-label.ts'

const amountDetails = { amount: 'Tutar (TL)', isActive: 'Açık', amountBefore: 'Önceki tutar (TL)' }

export const actionKinds = {
  starOptionAdded: { label: 'Yükleme tutarı ekledi', details: amountDetails },
  starOptionUpdated: { label: 'Yükleme tutarını değiştirdi', details: amountDetails },
  starOptionDeleted: { label: 'Yükleme tutarını sildi', details: amountDetails },
  withdrawalOptionAdded: { label: 'Çekim tutarı ekledi', details: amountDetails },
  withdrawalOptionUpdated: { label: 'Çekim tutarını değiştirdi', details: amountDetails },
  withdrawalOptionDeleted: { label: 'Çekim tutarını sildi', details: amountDetails },
  premiumCostChanged: {
    label: 'Premium fiyatını değiştirdi',
    details: { price: 'Fiyat (TL)', days: 'Gün', priceBefore: PRICE_BEFORE_LABEL, daysBefore: 'Önceki gün' },
  },
  bankDetailsChanged: { label: 'Banka bilgilerini değiştirdi', details: { ibanEnd: 'IBAN sonu' } },
  bankDetailsRemoved: { label: 'Banka bilgilerini kaldırdı' },
  starRequestApproved: { label: 'Yükleme talebini onayladı', details: { amount: 'Tutar (TL)' } },
  starRequestRejected: { label: 'Yükleme talebini reddetti', details: { amount: 'Tutar (TL)' } },
  withdrawalRequestApproved: { label: 'Ödeme talebini onayladı', details: { amount: 'Tutar (TL)' } },
  withdrawalRequestRejected: { label: 'Ödeme talebini reddetti', details: { amount: 'Tutar (TL)' } },
} as const satisfies Record<string, ActionKindSpec>
