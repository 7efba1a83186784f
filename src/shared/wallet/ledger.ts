/** What a ledger transaction is made for. Only a room is renewed more than once. */
export const ledgerKinds = [
  'load',
  'roomOrder',
  'roomRenewal',
  'premium',
  'gift',
  'withdrawalRequest',
  'withdrawalReturn',
  'withdrawalPaid',
] as const
export type LedgerKind = (typeof ledgerKinds)[number]

const KURUS_PER_LIRA = 100

/** Money as the wire has it. */
export function toLira(amountKurus: number): number {
  return amountKurus / KURUS_PER_LIRA
}

/** Lira of the wire as integer kuruş. Fractions of a kuruş are rounded. */
export function toKurus(lira: number): number {
  return Math.round(lira * KURUS_PER_LIRA)
}

/** `1.284,50 ₺`, and `40 ₺` without kuruş. */
export function formatLira(lira: number): string {
  const [whole = '', kurus = ''] = Math.abs(lira).toFixed(2).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.')
  return `${lira < 0 ? '-' : ''}${grouped}${kurus === '00' ? '' : `,${kurus}`} ₺`
}
