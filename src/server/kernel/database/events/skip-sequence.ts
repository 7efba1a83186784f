import { insertRow } from '../query.ts'
import type { Transaction } from '../transaction.ts'
import { lastUsedSeq } from './events.ts'

/** Numbers that `seq` skips at every promotion and restore, so that no number is used twice. */
export const SEQ_SKIP = 2 ** 20

const insertGap = insertRow('eventGap', ['fromSeq', 'toSeq'])

/**
 * Skips numbers of `seq`, so that a cursor from lost history falls into a gap. Runs at every promotion and restore.
 * @param options `lostSeq`: the last number of the lost history, if it is known. Otherwise `atLeast` is a number above
 * any lost history, and `more` a random count that keeps two lost histories apart.
 */
export function skipSequence(
  tx: Transaction,
  { lostSeq = 0, atLeast = 0, more = 0 }: { lostSeq?: number; atLeast?: number; more?: number } = {},
): void {
  const last = lastUsedSeq(tx)
  tx.run(insertGap, { fromSeq: last + 1, toSeq: Math.max(Math.max(last, lostSeq) + SEQ_SKIP, atLeast) + more })
}
