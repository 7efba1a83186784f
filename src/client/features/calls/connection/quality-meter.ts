import type { Cancel, Environment } from '../../../core/platform/environment.ts'
import type { CallQuality } from '../call-state.ts'
import { repeat } from '../repeat.ts'

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

const ranks = { good: 0, fair: 1, poor: 2 } as const satisfies Record<CallQuality, number>

const INTERVAL_MS = 2_000

/** The counters of one report; they rise for as long as the connection lives. */
interface Counters {
  packetsReceived: number
  packetsLost: number
  freezesMs: number
}

/** Reads the statistics of a connection every 2 s, and tells the quality in words. */
export class QualityMeter {
  private readonly getStats: () => Promise<RTCStatsReport>
  private readonly onQuality: (quality: CallQuality) => void
  private readonly filter = new QualityFilter()
  private last: Counters | null = null
  private readonly cancelTimer: Cancel
  private isStopped = false

  constructor(
    environment: Environment,
    getStats: () => Promise<RTCStatsReport>,
    onQuality: (quality: CallQuality) => void,
  ) {
    this.getStats = getStats
    this.onQuality = onQuality
    this.cancelTimer = repeat(environment, INTERVAL_MS, () => void this.measure())
  }

  stop(): void {
    this.isStopped = true
    this.cancelTimer()
  }

  private async measure(): Promise<void> {
    const sample = this.sampleOf(await this.getStats())
    if (sample && !this.isStopped) this.onQuality(this.filter.add(qualityOf(sample)))
  }

  /** Null for the first report: there is nothing to compare it with. */
  private sampleOf(report: RTCStatsReport): QualitySample | null {
    const stats = readStats(report)
    const { last } = this
    this.last = stats.counters
    if (!last) return null
    const received = stats.counters.packetsReceived - last.packetsReceived
    const lost = Math.max(0, stats.counters.packetsLost - last.packetsLost)
    const lossRatio = Math.max(received + lost === 0 ? 0 : lost / (received + lost), stats.sentLossRatio)
    return { ...stats.sample, lossRatio, frozenMs: stats.counters.freezesMs - last.freezesMs }
  }
}

interface ReadStats {
  counters: Counters
  /** As the other side reports it. */
  sentLossRatio: number
  sample: Omit<QualitySample, 'lossRatio' | 'frozenMs'>
}

/** The members that are used here (Identifiers for WebRTC's Statistics API); a browser may lack any of them. */
interface AnyStats {
  type: string
  kind?: string
  packetsReceived?: number
  packetsLost?: number
  totalFreezesDuration?: number
  jitter?: number
  fractionLost?: number
  nominated?: boolean
  state?: string
  currentRoundTripTime?: number
  availableOutgoingBitrate?: number
  framesPerSecond?: number
}

function readStats(report: RTCStatsReport): ReadStats {
  const all: AnyStats[] = []
  report.forEach((stats: AnyStats) => void all.push(stats))
  const ofType = (type: string) => all.filter((stats) => stats.type === type)
  const inbound = ofType('inbound-rtp')
  const pair = ofType('candidate-pair').find(({ nominated, state }) => nominated && state === 'succeeded')
  const highest = (values: (number | undefined)[]): number => Math.max(0, ...values.map((value) => value ?? 0))
  const sum = (values: (number | undefined)[]): number =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return {
    counters: {
      packetsReceived: sum(inbound.map(({ packetsReceived }) => packetsReceived)),
      packetsLost: sum(inbound.map(({ packetsLost }) => packetsLost)),
      freezesMs: 1000 * sum(inbound.map(({ totalFreezesDuration }) => totalFreezesDuration)),
    },
    sentLossRatio: highest(ofType('remote-inbound-rtp').map(({ fractionLost }) => fractionLost)),
    sample: {
      roundTripMs: 1000 * (pair?.currentRoundTripTime ?? 0),
      jitterMs: 1000 * highest(inbound.filter(({ kind }) => kind === 'audio').map(({ jitter }) => jitter)),
      availableBitrate: pair?.availableOutgoingBitrate ?? null,
      isVideoSent: ofType('outbound-rtp').some(({ kind, framesPerSecond }) => kind === 'video' && !!framesPerSecond),
    },
  }
}

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
