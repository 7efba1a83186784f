import type { CallQuality } from '../call-state.ts'

/** What two reports of a connection say about the time between them. */
export interface QualitySample {
  /** The share of packets that did not arrive, in the worse direction. */
  lossRatio: number
  roundTripMs: number
  jitterMs: number
  /** Milliseconds in which the received picture stood still. */
  frozenMs: number
  /** What the browser believes it can send; null while it has no estimate. */
  availableBitrate: number | null
  /** Whether a picture is sent. */
  isVideoSent: boolean
}

/** Beyond these the words are 'fair' and 'poor': what one hears and sees, not what the network could be. */
const limits = {
  fair: { lossRatio: 0.03, roundTripMs: 300, jitterMs: 40, frozenMs: 200, videoBitrate: 300_000 },
  poor: { lossRatio: 0.1, roundTripMs: 700, jitterMs: 100, frozenMs: 1_000, videoBitrate: 120_000 },
} as const

/** So many samples in a row are needed before the word changes, so that it does not flicker. */
const SAMPLES_TO_WORSEN = 2
const SAMPLES_TO_IMPROVE = 4

export function qualityOf(sample: QualitySample): CallQuality {
  if (exceeds(sample, limits.poor)) return 'poor'
  return exceeds(sample, limits.fair) ? 'fair' : 'good'
}

function exceeds(sample: QualitySample, limit: (typeof limits)[keyof typeof limits]): boolean {
  const { availableBitrate, isVideoSent } = sample
  return (
    sample.lossRatio > limit.lossRatio ||
    sample.roundTripMs > limit.roundTripMs ||
    sample.jitterMs > limit.jitterMs ||
    sample.frozenMs > limit.frozenMs ||
    (isVideoSent && availableBitrate !== null && availableBitrate < limit.videoBitrate)
  )
}

const ranks = { good: 0, fair: 1, poor: 2 } as const satisfies Record<CallQuality, number>

/** The quality in words, with hysteresis. */
export class QualityFilter {
  quality: CallQuality | null = null
  private deviating: CallQuality[] = []

  add(next: CallQuality): CallQuality {
    this.quality ??= next
    if (next === this.quality) {
      this.deviating = []
      return this.quality
    }
    const isWorse = ranks[next] > ranks[this.quality]
    // A sample on the other side of the shown word begins the count again.
    const isSameSide = this.deviating.every((other) => ranks[other] > ranks[this.quality ?? next] === isWorse)
    this.deviating = isSameSide ? [...this.deviating, next] : [next]
    if (this.deviating.length < (isWorse ? SAMPLES_TO_WORSEN : SAMPLES_TO_IMPROVE)) return this.quality
    // The mildest of them: one outlier does not decide.
    const byRank = this.deviating.toSorted((a, b) => ranks[a] - ranks[b])
    this.quality = (isWorse ? byRank[0] : byRank.at(-1)) ?? next
    this.deviating = []
    return this.quality
  }
}
