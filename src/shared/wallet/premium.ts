export const PREMIUM_DAY_MS = 24 * 60 * 60_000

/** Full and begun days until premium ends (specification 2, point 2, "Wallet widget"); 0 once it has ended. */
export function premiumDaysLeft(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / PREMIUM_DAY_MS))
}

/** The end of premium that is bought now: what is left is kept. */
export function extendPremium(endsAt: number | null, days: number, now: number): number {
  return Math.max(endsAt ?? 0, now) + days * PREMIUM_DAY_MS
}

/** Specification 2, point 8, "Failed premium upgrade". */
export const PREMIUM_REFUSED_TEXT = 'Yetersiz bakiye! Hata!'
export const PREMIUM_BOUGHT_TEXT = 'Artık Premium üyesiniz.'
export const PREMIUM_EXTENDED_TEXT = 'Premium süreniz uzatıldı.'
/** Specification 2, point 2, "Wallet widget". */
export const PREMIUM_ENDED_TEXT = 'Premium bitti!'

/** What the wallet shows of premium. */
export function premiumText(endsAt: number, now: number): string {
  const days = premiumDaysLeft(endsAt, now)
  return days === 0 ? PREMIUM_ENDED_TEXT : `Premium: ${days} gün kaldı`
}
