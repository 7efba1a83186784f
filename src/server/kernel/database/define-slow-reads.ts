import type { Reader } from './read.ts'

/**
 * Reads that can take more than 2 ms: functions of (reader, input) that run in the read worker. A feature exports its own
 * as `slowReads` from its `slow-reads.ts` and declares them here by merging. Each consists of short queries, because a
 * replica applies no changes while a query runs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add members by declaration merging
export interface SlowReads {}

export type SlowReadName = keyof SlowReads
export type SlowReadInput<N extends SlowReadName> = SlowReads[N] extends (
  reader: Reader,
  input: infer I extends object,
) => unknown
  ? I
  : never
export type SlowReadAnswer<N extends SlowReadName> = SlowReads[N] extends (...args: never[]) => infer A ? A : never
