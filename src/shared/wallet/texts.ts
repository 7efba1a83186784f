import { formatLira } from './ledger.ts'

/** The message of InsufficientBalance. @param missing in lira */
export function insufficientBalanceText(missing: number): string {
  return `Yetersiz bakiye! ${formatLira(missing)} daha gerekiyor.`
}

/** The message of PriceChanged. @param price in lira */
export function priceChangedText(price: number): string {
  return `Fiyat değişti. Yeni fiyat: ${formatLira(price)}.`
}
