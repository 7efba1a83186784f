import { formatLira } from './ledger.ts'

/** The message of InsufficientBalance. @param missing in lira */
export function insufficientBalanceText(missing: number): string {
  return `Yetersiz bakiye! ${formatLira(missing)} daha gerekiyor.`
}

/** The message of PriceChanged. @param price in lira */
export function priceChangedText(price: number): string {
  return `Fiyat değişti. Yeni fiyat: ${formatLira(price)}.`
}
/** Texts of the specification that several parts of the wallet show (specification 2, points 5 and 8). */
export const INVALID_IBAN_TEXT = 'Lütfen geçerli bir IBAN numarası giriniz (TR ile başlayıp 24 haneli olmalıdır).'
export const MISSING_FIELDS_TEXT = 'Lütfen tüm alanları doldurun!'
