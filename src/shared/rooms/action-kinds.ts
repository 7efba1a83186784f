import type { ActionKindSpec } from '../audit/action-kind.ts'
import { PRICE_BEFORE_LABEL } from '../wallet/options/price-before-label.ts'

const capacityDetails = { numberOfPeople: 'Kişi', price: 'Fiyat (TL)', priceBefore: PRICE_BEFORE_LABEL }
const durationDetails = { months: 'Ay', discount: 'İndirim', discountBefore: 'Önceki indirim' }

export const actionKinds = {
  capacityOptionAdded: { label: 'Oda kapasitesi seçeneği ekledi', details: capacityDetails },
  capacityOptionUpdated: { label: 'Oda kapasitesi seçeneğini değiştirdi', details: capacityDetails },
  capacityOptionDeleted: { label: 'Oda kapasitesi seçeneğini sildi', details: capacityDetails },
  durationOptionAdded: { label: 'Oda süresi seçeneği ekledi', details: durationDetails },
  durationOptionUpdated: { label: 'Oda süresi seçeneğini değiştirdi', details: durationDetails },
  durationOptionDeleted: { label: 'Oda süresi seçeneğini sildi', details: durationDetails },
} as const satisfies Record<string, ActionKindSpec>
