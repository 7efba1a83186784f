import type { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { notRemoved } from '../message-removal/queries.ts'
import { viewerOf } from '../relations/queries.ts'
import { findContentRefusal } from '../rooms/access.ts'
import { query } from '../schema/query.ts'
import { canSeeMessage, directMessages, roomMessages } from './message-table.ts'

/** One row for each room, sender and audience, however often a file was sent. */
const roomMessagesWithFile = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('roomMedia')
    .innerJoin('message', 'message.mediaId', 'roomMedia.id')
    .select(['message.roomId', 'message.senderId', 'message.audience'])
    .distinct()
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where(notRemoved),
)
/** A file that is sent often has many rows, so one query answers for all of them. */
const directMessageWithFile = query<{ path: string; userId: UserId } & VisibilityParams>()((db, p) =>
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

/** Whether this user may fetch the file: its owner until it is sent, then those for whom the room is open and who may read the message. */
export function canFetchRoomMedia(reader: Reader, actor: Actor, path: string, appContext: AppContext): boolean {
  if (roomMessages.media.isUnsentOf(reader, actor.userId, path, appContext.clock())) return true
  const messages = reader.all(roomMessagesWithFile, { path })
  if (messages.length === 0) return false
  const viewer = viewerOf(reader, actor)
  const rooms = new Set(messages.filter((message) => canSeeMessage(viewer, message)).map(({ roomId }) => roomId))
  return [...rooms].some((roomId) => findContentRefusal(appContext, reader, actor, roomId) === null)
}

/**
 * Whether this user may fetch the file: its owner until it is sent, then the users of its conversations as long as they
 * have not deleted the message and may read it.
 */
export function canFetchDirectMedia(
  reader: Reader,
  { userId, role }: Actor,
  path: string,
  { clock }: AppContext,
): boolean {
  return (
    directMessages.media.isUnsentOf(reader, userId, path, clock()) ||
    reader.get(directMessageWithFile, { path, userId, ...visibilityOf({ userId, role }) }) !== undefined
  )
}
