export const DAY_MS = 24 * 60 * 60_000
/** Türkiye has had one UTC offset since 2016, so its days and months are computed without a time zone database. */
export const ISTANBUL_OFFSET_MS = 3 * 60 * 60_000

/** The days until a time, rounded up; 0 when it has passed. */
export function daysLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / DAY_MS))
}
