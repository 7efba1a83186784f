import { picturePath } from '../../shared/media/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'

/** A file that is sent often has many rows, so each query answers for all of them. */
const unsentOfOwner = query<{ path: string; userId: UserId }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select('id')
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where('ownerId', '=', p('userId'))
    .where('expiresAt', 'is not', null)
    .limit(1),
)
const messageForUser = query<{ path: string; userId: UserId }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .innerJoin('directMessage', 'directMessage.mediaId', 'directMedia.id')
    .innerJoin('conversationSide', 'conversationSide.conversationId', 'directMessage.conversationId')
    .select('directMessage.id')
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where('conversationSide.userId', '=', p('userId'))
    .whereRef('directMessage.id', '>', 'conversationSide.deletedUpToId')
    .limit(1),
)
const reportedByPath = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select('id')
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where('isReported', '=', 1)
    .limit(1),
)
const originalByHash = query<{ from: string; to: string }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select('id')
    .where('originalPath', '>=', p('from'))
    .where('originalPath', '<', p('to'))
    .limit(1),
)
const thumbnailByPath = query<{ path: string }>()((db, p) =>
  db.selectFrom('directMedia').select('id').where('thumbnailPath', '=', p('path')).limit(1),
)

/** Whether the file with this hash is the file or the thumbnail of an upload that exists. */
export function isMediaInUse(reader: Reader, hash: string): boolean {
  // The names of a file's extensions are between `hash.` and `hash/`.
  return (
    reader.get(originalByHash, { from: `${hash}.`, to: `${hash}/` }) !== undefined ||
    reader.get(thumbnailByPath, { path: picturePath(hash) }) !== undefined
  )
}

/**
 * Whether this user may fetch the file: its owner until it is sent, then the users of its conversations as long as they
 * have not deleted the message, and root admins after a report.
 */
export function canFetchMedia(reader: Reader, { userId, role }: Actor, path: string): boolean {
  return (
    reader.get(unsentOfOwner, { path, userId }) !== undefined ||
    reader.get(messageForUser, { path, userId }) !== undefined ||
    (role === 'rootadmin' && reader.get(reportedByPath, { path }) !== undefined)
  )
}
