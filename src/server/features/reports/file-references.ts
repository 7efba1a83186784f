import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { query } from '../../model/schema/query.ts'

const fileByHash = query<{ from: string; to: string }>()((db, p) =>
  db.selectFrom('reportFile').select('reportId').where('path', '>=', p('from')).where('path', '<', p('to')).limit(1),
)
const fileByPath = query<{ path: string }>()((db, p) =>
  db.selectFrom('reportFile').select('reportId').where('path', '=', p('path')).limit(1),
)

/** A report keeps its files, and only root admins may fetch them because of it. */
export const fileReferences: FileReferences = {
  // The names of a file's extensions are between `hash.` and `hash/`.
  isInUse: (reader, hash) => reader.get(fileByHash, { from: `${hash}.`, to: `${hash}/` }) !== undefined,
  mayFetch: (reader, { role }, path) => role === 'rootadmin' && reader.get(fileByPath, { path }) !== undefined,
}
