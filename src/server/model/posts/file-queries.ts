import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { canSeePost } from './access.ts'

const fileByHash = query<{ from: string; to: string }>()((db, p) =>
  db.selectFrom('postFile').select('postId').where('path', '>=', p('from')).where('path', '<', p('to')).limit(1),
)
/** One row for each owner and state, however often a file was posted. */
const postsOfFile = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('postFile')
    .innerJoin('post', 'post.id', 'postFile.postId')
    .select(['post.userId', 'post.isArchived', 'post.audience'])
    .where('postFile.path', '=', p('path'))
    .where('post.deletedAt', 'is', null)
    .groupBy(['post.userId', 'post.isArchived', 'post.audience']),
)

/** Whether the file with this hash belongs to a post. */
export function isPostFileInUse(reader: Reader, hash: string): boolean {
  // The names of a file's extensions are between `hash.` and `hash/`.
  return reader.get(fileByHash, { from: `${hash}.`, to: `${hash}/` }) !== undefined
}

/** Whether this user may fetch the file: who may see a post of it. */
export function canFetchPostFile(reader: Reader, viewer: Actor, path: string): boolean {
  return reader.all(postsOfFile, { path }).some((post) => canSeePost(reader, viewer, post))
}
