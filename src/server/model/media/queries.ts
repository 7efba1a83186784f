import type { FileId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { FileRows } from '../../kernel/files/file-rows.ts'
import { query } from '../schema/query.ts'

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
