import type { UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'

const mediaByPath = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select(['id', 'ownerId'])
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))])),
)
const messageForUser = query<{ mediaId: number; userId: UserId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('conversationSide', 'conversationSide.conversationId', 'directMessage.conversationId')
    .select('directMessage.id')
    .where('directMessage.mediaId', '=', p('mediaId'))
    .where('conversationSide.userId', '=', p('userId'))
    .whereRef('directMessage.id', '>', 'conversationSide.deletedUpToId')
    .limit(1),
)
const reportedMessage = query<{ mediaId: number }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('directMessageReport', 'directMessageReport.messageId', 'directMessage.id')
    .select('directMessageReport.id')
    .where('directMessage.mediaId', '=', p('mediaId'))
    .limit(1),
)

/** Whether an upload path is the file or the thumbnail of an upload that exists. */
export function isMediaInUse(reader: Reader, path: string): boolean {
  return reader.get(mediaByPath, { path }) !== undefined
}

/** Whether this user may fetch the file: its owner, the users of its conversation, root admins after a report. */
export function canFetchMedia(reader: Reader, { userId, role }: Actor, path: string): boolean {
  return reader
    .all(mediaByPath, { path })
    .some(
      ({ id: mediaId, ownerId }) =>
        ownerId === userId ||
        reader.get(messageForUser, { mediaId, userId }) !== undefined ||
        (role === 'rootadmin' && reader.get(reportedMessage, { mediaId }) !== undefined),
    )
}
