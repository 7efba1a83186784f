import { lastUsedSeq } from '../../database/events.ts'
import type { Reader } from '../../database/read.ts'
import { isSqliteBusy } from '../../database/sqlite-busy.ts'
import type { LiteFsClient } from '../litefs/litefs-client.ts'
import { type Position, ZERO_POSITION } from './position.ts'

/**
 * How far this region's database has come. The log is read first: should a snapshot replace a lost history between the
 * two reads, the old number with the new transaction passes for nothing that has not arrived.
 * While LiteFS holds the file, it is where it was.
 */
export function createLocalPositionReader(read: Reader, litefs: Pick<LiteFsClient, 'txid'>): () => Position {
  let last = ZERO_POSITION
  return () => {
    try {
      last = readPosition(read, litefs)
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
    }
    return last
  }
}

function readPosition(read: Reader, litefs: Pick<LiteFsClient, 'txid'>): Position {
  const seq = lastUsedSeq(read)
  return { txid: litefs.txid(), seq }
}
