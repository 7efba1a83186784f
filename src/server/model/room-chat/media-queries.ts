import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { notRemoved } from '../message-removal/queries.ts'
import { viewerOf } from '../relations/queries.ts'
import { findContentRefusal } from '../rooms/access.ts'
import { query } from '../schema/query.ts'
import { canSeeMessage, roomMedia } from './queries.ts'

/** One row for each room, sender and audience, however often a file was sent. */
const messagesWithFile = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('roomMedia')
    .innerJoin('message', 'message.mediaId', 'roomMedia.id')
    .select(['message.roomId', 'message.senderId', 'message.audience'])
    .distinct()
    .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
    .where(notRemoved),
)

/** Whether this user may fetch the file: its owner until it is sent, then those for whom the room is open and who may read the message. */
export function canFetchRoomMedia(reader: Reader, actor: Actor, path: string, appContext: AppContext): boolean {
  if (roomMedia.isUnsentOf(reader, actor.userId, path, appContext.clock())) return true
  const messages = reader.all(messagesWithFile, { path })
  if (messages.length === 0) return false
  const viewer = viewerOf(reader, actor)
  const rooms = new Set(messages.filter((message) => canSeeMessage(viewer, message)).map(({ roomId }) => roomId))
  return [...rooms].some((roomId) => findContentRefusal(appContext, reader, actor, roomId) === null)
}
