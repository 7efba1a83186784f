import { lastUsedSeq } from '../database/events.ts'
import { isHeldUp } from '../database/held-up.ts'
import type { Reader } from '../database/read.ts'
import type { LiteFs } from './litefs.ts'
import { BEGINNING, type Position } from './position.ts'

/**
 * How far this region's database has come. The log is read first: should a snapshot replace a lost history between the
 * two reads, the old number with the new transaction passes for nothing that has not arrived.
 * While LiteFS holds the file, it is where it was.
 */
export function createLocalPosition(read: Reader, litefs: Pick<LiteFs, 'txid'>): () => Position {
  let last = BEGINNING
  return () => {
    try {
      last = look(read, litefs)
    } catch (error) {
      if (!isHeldUp(error)) throw error
    }
    return last
  }
}

function look(read: Reader, litefs: Pick<LiteFs, 'txid'>): Position {
  const seq = lastUsedSeq(read)
  return { txid: litefs.txid(), seq }
}
