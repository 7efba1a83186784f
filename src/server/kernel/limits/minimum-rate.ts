/** Initial grace before the minimum rate applies, and the most time that a body can have in reserve. */
const GRACE_MS = 10_000
/** Minimum rate of a body: half of what a phone with poor reception reaches. */
const MIN_BYTES_PER_SECOND = 8 * 1024

/** Message for a body below the minimum rate. */
export const TOO_SLOW_MESSAGE = 'Dosya çok yavaş geliyor. Bağlantını kontrol edip yeniden dene.'

/** When a body of which nothing has arrived is too slow. Times are milliseconds of `performance.now()`. */
export function firstDeadline(now: number): number {
  return now + GRACE_MS
}

/**
 * Moves the deadline of a body by what its new bytes earn, at most to the grace from now, so that a large first chunk does
 * not allow a long pause.
 */
export function extendDeadline(deadlineMs: number, newBytes: number, now: number): number {
  return Math.min(deadlineMs + (newBytes / MIN_BYTES_PER_SECOND) * 1000, now + GRACE_MS)
}
