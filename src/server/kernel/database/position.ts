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
