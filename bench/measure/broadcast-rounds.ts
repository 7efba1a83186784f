import type { BenchSubject } from '../subjects/subject.ts'
import {
  type BroadcastLoad,
  type BroadcastResult,
  type FilledSubject,
  runBroadcast,
  startFilledSubject,
} from './broadcast-load.ts'
import { interleave, type Samples, summarise } from './statistics.ts'

const ROUNDS = 7
/** Long and fast enough that every contender's code is compiled by then, as it is on a server that has run for a while. */
const WARM_UP = { seconds: 8, perSecond: 100 }

/** Every contender holds the same conversation, in turns; all of them stay connected throughout. */
export async function runBroadcastRounds<N extends string>(
  contenders: Record<N, BenchSubject>,
  talk: BroadcastLoad,
): Promise<Record<N, BroadcastResult[]>> {
  const crowds = new Map<string, FilledSubject>()
  try {
    // Filled below for every name; Object.entries forgets the key type.
    const turns = {} as Record<N, () => Promise<BroadcastResult>>
    for (const [name, contender] of Object.entries(contenders) as [N, BenchSubject][]) {
      const crowd = await startFilledSubject(contender, talk.sockets)
      crowds.set(name, crowd)
      await runBroadcast(crowd, { ...talk, ...WARM_UP, perSecond: Math.max(WARM_UP.perSecond, talk.perSecond) })
      turns[name] = () => runBroadcast(crowd, talk)
    }
    return await interleave(ROUNDS, turns)
  } finally {
    for (const { site, visitors } of crowds.values()) {
      for (const visitor of visitors) visitor.close()
      await site.stop()
    }
  }
}

export const throughputOf = (heard: BroadcastResult[]): Samples => heard.map((round) => round.deliveriesPerCpuSecond)
export const p99Of = (heard: BroadcastResult[]): Samples => heard.map((round) => round.p99Ms)

/** What one has to know to believe the latencies. */
export function describeRounds(name: string, heard: BroadcastResult[]): string {
  const missing = heard.reduce((sum, round) => sum + round.missingDeliveries, 0)
  const busy = summarise(heard.map((round) => round.loadBusy)).median
  const p50 = summarise(heard.map((round) => round.p50Ms)).median
  return `${name}: p50 ${p50.toFixed(1)} ms, load generator ${Math.round(busy * 100)}% busy, ${missing} deliveries missing`
}
