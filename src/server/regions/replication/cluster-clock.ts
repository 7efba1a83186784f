import type { ClusterClock } from '../link/link-protocol.ts'

/** Exchanges that are remembered: those of the last half minute. */
const SAMPLE_RETENTION_MS = 30_000
/** Exchanges that contradict each other by more than this show that a clock was set; by less, that none is perfect. */
const CLOCK_STEP_MS = 50
/** Clocks tell whole milliseconds, and drift. */
const CLOCK_RESOLUTION_MS = 2

/** One exchange: the hub's clock less performance.now() in its middle, give or take half of the round trip. */
interface ClockSample {
  offsetMs: number
  errorMs: number
  takenAt: number
}

/**
 * The site's clock, which begins as this machine's own. The exchange with the shortest round trip counts, as in NTP
 * (RFC 5905, section 10). Nothing takes away what was learnt: a primary goes on with it.
 * `local` is this machine's clock in epoch milliseconds.
 */
export function createClusterClock(local: () => number): ClusterClock {
  let exchanges: ClockSample[] = []
  let offset = 0
  let isLearnt = false

  return {
    now: () => local() + offset,
    offsetMs: () => offset,
    addSample(theirs, askedAt, answeredAt) {
      const newest = {
        offsetMs: theirs - (askedAt + answeredAt) / 2,
        errorMs: (answeredAt - askedAt) / 2,
        takenAt: answeredAt,
      }
      // One that cannot be true together with it: the clock there was set, or it is another one.
      const isFit = (old: ClockSample) =>
        answeredAt - old.takenAt < SAMPLE_RETENTION_MS &&
        Math.abs(old.offsetMs - newest.offsetMs) <= old.errorMs + newest.errorMs + CLOCK_STEP_MS
      exchanges = [...exchanges.filter(isFit), newest]
      const best = exchanges.reduce((one, other) => (other.errorMs < one.errorMs ? other : one))
      // The machine's own clock may have been set too: performance.now() never is.
      const right = best.offsetMs + performance.now() - local()
      // What may be right stays, so that the clock does not tremble.
      if (isLearnt && Math.abs(right - offset) <= best.errorMs + CLOCK_RESOLUTION_MS) return
      // Rows and tokens hold whole milliseconds.
      offset = Math.round(right)
      isLearnt = true
    },
  }
}
