import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

const fileByHash = query<{ from: string; to: string }>()((db, p) =>
  db.selectFrom('reportFile').select('reportId').where('path', '>=', p('from')).where('path', '<', p('to')).limit(1),
)
const fileByPath = query<{ path: string }>()((db, p) =>
  db.selectFrom('reportFile').select('reportId').where('path', '=', p('path')).limit(1),
)

/** Whether a report keeps the file with this hash. */
export function isReportFileInUse(reader: Reader, hash: string): boolean {
  // The names of a file's extensions are between `hash.` and `hash/`.
  return reader.get(fileByHash, { from: `${hash}.`, to: `${hash}/` }) !== undefined
}

/** Whether a report keeps the file with this name below `/uploads/`. */
export function isReportFile(reader: Reader, path: string): boolean {
  return reader.get(fileByPath, { path }) !== undefined
}
