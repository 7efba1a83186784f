const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How old something is, in one unit: 'şimdi', '5 dk', '3 sa', '2 gün'. */
export function ageText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return 'şimdi'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} dk`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} sa`
  return `${Math.floor(ageMs / DAY_MS)} gün`
}
