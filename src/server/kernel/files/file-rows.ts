import type { FileId } from '../../../shared/protocol/ids.ts'

/** The row of a file, `size` in bytes. Ids ascend in the order of registration. */
export interface FileRow {
  id: FileId
  hash: string
  size: number
}

/** Reads the rows of files. */
export interface FileRows {
  /** In bytes; null without a row for this hash. */
  sizeOf(hash: string): number | null
  findById(id: FileId): FileRow | null
  /** The next rows after an id, by ascending id. */
  listAfter(id: FileId, limit: number): FileRow[]
}

/** A backup of the folder within this time after one of the database has every file that the database references. */
export const UNREFERENCED_GRACE_MS = 24 * 60 * 60_000
