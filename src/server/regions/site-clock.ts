import type { SiteClock } from './link.ts'

/** Exchanges that are remembered: those of the last half minute. */
const KEPT_MS = 30_000
/** Exchanges that contradict each other by more than this show that a clock was set; by less, that none is perfect. */
const SET_MS = 50
/** Clocks tell whole milliseconds, and drift. */
const GRAIN_MS = 2

/** One exchange: the hub's clock less performance.now() in its middle, give or take half of the round trip. */
interface Exchange {
  ahead: number
  error: number
  at: number
}

/**
 * The site's clock, which begins as this machine's own. The exchange with the shortest round trip counts, as in NTP
 * (RFC 5905, section 10). Nothing takes away what was learnt: a primary goes on with it.
 * `local` is this machine's clock in epoch milliseconds.
 */
export function createSiteClock(local: () => number): SiteClock {
  let exchanges: Exchange[] = []
  let offset = 0
  let isLearnt = false

  return {
    now: () => local() + offset,
    offsetMs: () => offset,
    heard(theirs, askedAt, answeredAt) {
      const newest = { ahead: theirs - (askedAt + answeredAt) / 2, error: (answeredAt - askedAt) / 2, at: answeredAt }
      // One that cannot be true together with it: the clock there was set, or it is another one.
      const isFit = (old: Exchange) =>
        answeredAt - old.at < KEPT_MS && Math.abs(old.ahead - newest.ahead) <= old.error + newest.error + SET_MS
      exchanges = [...exchanges.filter(isFit), newest]
      const best = exchanges.reduce((one, other) => (other.error < one.error ? other : one))
      // The machine's own clock may have been set too: performance.now() never is.
      const right = best.ahead + performance.now() - local()
      // What may be right stays, so that the clock does not tremble.
      if (isLearnt && Math.abs(right - offset) <= best.error + GRAIN_MS) return
      // Rows and tokens hold whole milliseconds.
      offset = Math.round(right)
      isLearnt = true
    },
  }
}
