import type { BenchSubject } from '../subjects/subject.ts'
import {
  type BroadcastLoad,
  type BroadcastResult,
  type FilledSubject,
  runBroadcast,
  startFilledSubject,
} from './broadcast-load.ts'
import { compareFigure, type Figure } from './report.ts'
import { interleave, type Samples, summarise } from './statistics.ts'

const ROUNDS = 5
/** Long and fast enough for V8 to compile the hot code of every subject. */
const WARM_UP = { seconds: 6, perSecond: 100 }

/** Every subject runs the same load, in turns; all clients stay connected throughout. */
export async function runBroadcastRounds<S extends Record<string, BenchSubject>>(
  subjects: S,
  load: BroadcastLoad,
): Promise<{ [N in keyof S]: BroadcastResult[] }> {
  const filledSubjects = new Map<string, FilledSubject>()
  try {
    // Filled below for every name; Object.entries forgets the key type.
    const runners = {} as { [N in keyof S]: () => Promise<BroadcastResult> }
    for (const [name, subject] of Object.entries(subjects) as [keyof S & string, BenchSubject][]) {
      const filledSubject = await startFilledSubject(subject, load.sockets)
      filledSubjects.set(name, filledSubject)
      await runBroadcast(filledSubject, { ...load, ...WARM_UP, perSecond: Math.max(WARM_UP.perSecond, load.perSecond) })
      runners[name] = () => runBroadcast(filledSubject, load)
    }
    return await interleave(ROUNDS, runners)
  } finally {
    for (const { site, clients } of filledSubjects.values()) {
      for (const client of clients) client.close()
      await site.stop()
    }
  }
}

export const throughputOf = (results: BroadcastResult[]): Samples =>
  results.map((round) => round.deliveriesPerCpuSecond)
export const mainThroughputOf = (results: BroadcastResult[]): Samples =>
  results.map((round) => round.deliveriesPerMainCpuSecond)
export const p99Of = (results: BroadcastResult[]): Samples => results.map((round) => round.p99Ms)

/** The throughput against a peer that not every machine can run. */
export function compareIfMeasured(what: string, ours: BroadcastResult[], peer?: BroadcastResult[]): Figure[] {
  if (!peer) return []
  return [compareFigure(what, 'deliveries per server CPU second', throughputOf(ours), throughputOf(peer))]
}

/** Conditions under which the latencies were measured. */
export function describeRounds(name: string, results: BroadcastResult[]): string {
  const missing = results.reduce((sum, round) => sum + round.missingDeliveries, 0)
  const busy = summarise(results.map((round) => round.loadBusy)).median
  const p50 = summarise(results.map((round) => round.p50Ms)).median
  return `${name}: p50 ${p50.toFixed(1)} ms, load generator ${Math.round(busy * 100)}% busy, ${missing} deliveries missing`
}
