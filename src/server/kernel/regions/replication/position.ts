import { lastUsedSeq } from '../../database/events/events.ts'
import { type Position, ZERO_POSITION } from '../../database/position.ts'
import type { Reader } from '../../database/read.ts'
import { isSqliteBusy } from '../../database/sqlite-busy.ts'
import type { LiteFsClient } from '../litefs/litefs-client.ts'

/**
 * Reads this region's position; while LiteFS holds the file, it is the last one that was read. The log is read first: if
 * a snapshot replaces a lost history between the two reads, the pair is then not ahead of the snapshot.
 */
export function createLocalPositionReader(reader: Reader, litefs: Pick<LiteFsClient, 'txid'>): () => Position {
  let last = ZERO_POSITION
  return () => {
    try {
      last = readPosition(reader, litefs)
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
    }
    return last
  }
}

function readPosition(reader: Reader, litefs: Pick<LiteFsClient, 'txid'>): Position {
  const seq = lastUsedSeq(reader)
  return { txid: litefs.txid(), seq }
}
