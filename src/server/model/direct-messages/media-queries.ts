import type { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { query } from '../schema/query.ts'
import { directMedia } from './queries.ts'

/** A file that is sent often has many rows, so each query answers for all of them. */
const messageForUser = query<{ path: string; userId: UserId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMedia')
    .innerJoin('directMessage', 'directMessage.mediaId', 'directMedia.id')
    .innerJoin('conversationSide', 'conversationSide.conversationId', 'directMessage.conversationId')
    .select('directMessage.id')
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where('conversationSide.userId', '=', p('userId'))
    .whereRef('directMessage.id', '>', 'conversationSide.deletedUpToId')
    .where(visibleTo(p, 'directMessage.senderId'))
    .limit(1),
)

/**
 * Whether this user may fetch the file: its owner until it is sent, then the users of its conversations as long as they
 * have not deleted the message and may read it.
 */
export function canFetchMedia(reader: Reader, { userId, role }: Actor, path: string, { clock }: AppContext): boolean {
  return (
    directMedia.isUnsentOf(reader, userId, path, clock()) ||
    reader.get(messageForUser, { path, userId, ...visibilityOf({ userId, role }) }) !== undefined
  )
}
