/** The time of the cluster: the primary's clock, as this region has measured it. */
export interface ClusterClock {
  /** Epoch milliseconds. */
  now(): number
  /** Added to this machine's own clock. */
  offsetMs(): number
  /** The primary's clock was `theirs` between two times of this process's performance.now(). */
  addSample(theirs: number, askedAt: number, answeredAt: number): void
}

/** Samples older than this are dropped. */
const SAMPLE_RETENTION_MS = 30_000
/** Samples that contradict each other by more than this show that a clock was set; less is measuring error. */
const CLOCK_STEP_MS = 50
/** Clocks give whole milliseconds, and drift. */
const CLOCK_RESOLUTION_MS = 2

/** One round trip: the primary's clock minus performance.now() in its middle; the error is half of the round trip. */
interface ClockSample {
  offsetMs: number
  errorMs: number
  takenAt: number
}

/**
 * Starts as this machine's own clock. The sample with the shortest round trip counts, as in NTP (RFC 5905, section 10).
 * A region keeps the offset when it becomes the primary.
 *
 * @param local this machine's clock in epoch milliseconds
 */
export function createClusterClock(local: () => number): ClusterClock {
  let samples: ClockSample[] = []
  let offset = 0
  let isSynchronized = false

  return {
    now: () => local() + offset,
    offsetMs: () => offset,
    addSample(theirs, askedAt, answeredAt) {
      const newest = {
        offsetMs: theirs - (askedAt + answeredAt) / 2,
        errorMs: (answeredAt - askedAt) / 2,
        takenAt: answeredAt,
      }
      // A sample that contradicts the newest was taken before a clock was set, or at another primary.
      const isConsistent = (old: ClockSample) =>
        answeredAt - old.takenAt < SAMPLE_RETENTION_MS &&
        Math.abs(old.offsetMs - newest.offsetMs) <= old.errorMs + newest.errorMs + CLOCK_STEP_MS
      samples = [...samples.filter(isConsistent), newest]
      const best = samples.reduce((one, other) => (other.errorMs < one.errorMs ? other : one))
      // performance.now() is never set, unlike this machine's clock.
      const measured = best.offsetMs + performance.now() - local()
      // An offset within the error stays, so that the clock does not jitter.
      if (isSynchronized && Math.abs(measured - offset) <= best.errorMs + CLOCK_RESOLUTION_MS) return
      // Rows and tokens hold whole milliseconds.
      offset = Math.round(measured)
      isSynchronized = true
    },
  }
}
