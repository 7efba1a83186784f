/** How far a region's database has come. */
export interface Position {
  /** LiteFS's transaction: 16 lower-case hex digits, compared as text. Empty on a plain file, which is always there. */
  txid: string
  /** The highest number of the event log that was used or leapt over: it tells histories apart after a lost primary. */
  seq: number
}

export const ZERO_POSITION: Position = { txid: '', seq: 0 }

/** Whether who is at `local` has everything that there was at `wanted`. */
export function isAtLeast(local: Position, wanted: Position): boolean {
  return local.txid >= wanted.txid && local.seq >= wanted.seq
}
