import type { FileId } from '../../../shared/protocol/ids.ts'
import { query } from '../../kernel/database/query.ts'
import type { Reader } from '../../kernel/database/read.ts'

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

const sizeByHash = query<{ hash: string }>()((db, p) =>
  db.selectFrom('file').select('size').where('hash', '=', p('hash')),
)
const rowById = query<{ id: FileId }>()((db, p) =>
  db.selectFrom('file').select(['id', 'hash', 'size']).where('id', '=', p('id')),
)
const rowsAfter = query<{ id: FileId; limit: number }>()((db, p) =>
  db.selectFrom('file').select(['id', 'hash', 'size']).where('id', '>', p('id')).orderBy('id').limit(p('limit')),
)

/** `FileRows` of a reader. */
export function fileRows(reader: Reader): FileRows {
  return {
    sizeOf: (hash) => reader.get(sizeByHash, { hash })?.size ?? null,
    findById: (id) => reader.get(rowById, { id }) ?? null,
    listAfter: (id, limit) => reader.all(rowsAfter, { id, limit }),
  }
}
