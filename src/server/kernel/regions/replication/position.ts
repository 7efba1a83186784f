import { lastUsedSeq } from '../../database/events.ts'
import type { Reader } from '../../database/read.ts'
import { isSqliteBusy } from '../../database/sqlite-busy.ts'
import type { LiteFsClient } from '../litefs/litefs-client.ts'

/** How much of the replicated history a region's database has. */
export interface Position {
  /** LiteFS's transaction: 16 lower-case hex digits, compared as text. Empty on a plain file. */
  txid: string
  /** The highest number of the event log that was used or skipped: it tells histories apart after a lost primary. */
  seq: number
}

export const ZERO_POSITION: Position = { txid: '', seq: 0 }

/** Whether a database at `local` has everything up to `wanted`. */
export function isAtLeast(local: Position, wanted: Position): boolean {
  return local.txid >= wanted.txid && local.seq >= wanted.seq
}

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
