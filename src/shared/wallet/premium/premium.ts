import { DAY_MS, daysLeft } from '../../text/istanbul-time.ts'

/** The end of premium that is bought now: what is left is kept. */
export function extendPremium(endsAt: number | null, days: number, now: number): number {
  return Math.max(endsAt ?? 0, now) + days * DAY_MS
}

/** Specification 2, point 8, "Failed premium upgrade". */
export const PREMIUM_REFUSED_TEXT = 'Yetersiz bakiye! Hata!'
export const PREMIUM_BOUGHT_TEXT = 'Artık Premium üyesin.'
export const PREMIUM_EXTENDED_TEXT = 'Premium süren uzatıldı.'
/** Specification 2, point 2, "Wallet widget". */
const PREMIUM_ENDED_TEXT = 'Premium bitti!'

/** What the wallet shows of premium. */
export function premiumText(endsAt: number, now: number): string {
  const days = daysLeft(endsAt, now)
  return days === 0 ? PREMIUM_ENDED_TEXT : `Premium: ${days} gün kaldı`
}
