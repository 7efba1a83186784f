import { lastUsedSeq } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import type { LiteFs } from './litefs.ts'
import type { Position } from './position.ts'

/**
 * How far this region's database has come. The log is read first: should a snapshot replace a lost history between the
 * two reads, the old number with the new transaction passes for nothing that has not arrived.
 */
export function localPosition(read: Reader, litefs: Pick<LiteFs, 'txid'>): Position {
  const seq = lastUsedSeq(read)
  return { txid: litefs.txid(), seq }
}
