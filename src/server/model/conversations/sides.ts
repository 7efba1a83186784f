import { sql } from 'kysely'
import { mediaPreviews } from '../../../shared/media/previews.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../shared/sanctions/message-removed-text.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { getParticipants, type Participants } from '../relations/access.ts'
import { query } from '../schema/query.ts'

/** The conversation of two users, the one with the lower id first. */
export const conversationOfUsers = query<{ lowUserId: UserId; highUserId: UserId }>()((db, p) =>
  db
    .selectFrom('conversation')
    .select('id')
    .where('lowUserId', '=', p('lowUserId'))
    .where('highUserId', '=', p('highUserId')),
)

/** One user's side of a conversation. */
export const conversationSide = query<{ userId: UserId; conversationId: number }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .selectAll()
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)

const unreadTotal = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('unreadCount'), eb.lit(0)).as('count'))
    .where('userId', '=', p('userId'))
    .where('unreadCount', '>', 0),
)

const unreadSides = query<{ userId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .select(['conversationId', 'otherUserId', 'lastReadId', 'deletedUpToId'])
    .where('userId', '=', p('userId'))
    .where('unreadCount', '>', 0)
    .orderBy('lastMessageId', 'desc')
    .limit(p('limit')),
)
type ReceivedAfter = { conversationId: number; senderId: UserId; above: number; limit: number } & VisibilityParams
const receivedAfter = query<ReceivedAfter>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('user', 'user.id', 'directMessage.senderId')
    .leftJoin('directMedia', 'directMedia.id', 'directMessage.mediaId')
    .select([
      'directMessage.id',
      'directMessage.senderId',
      'directMessage.content',
      'directMessage.createdAt',
      'directMessage.isRemoved',
      'directMedia.mediaType',
      'user.username as senderUsername',
      'user.avatarUrl as senderAvatarUrl',
      'user.gender as senderGender',
      'user.isGuest as senderIsGuest',
    ])
    .where('directMessage.conversationId', '=', p('conversationId'))
    .where('directMessage.senderId', '=', p('senderId'))
    .where('directMessage.id', '>', p('above'))
    .where(visibleTo(p, 'directMessage.senderId'))
    .orderBy('directMessage.id', 'desc')
    .limit(p('limit')),
)
const unreadById = query<{ userId: UserId; ids: string } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('conversationSide', (join) =>
      join
        .onRef('conversationSide.conversationId', '=', 'directMessage.conversationId')
        .onRef('conversationSide.otherUserId', '=', 'directMessage.senderId')
        .on('conversationSide.userId', '=', p('userId')),
    )
    .select(['directMessage.id', 'directMessage.senderId'])
    .where('directMessage.id', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`)
    .whereRef('directMessage.id', '>', 'conversationSide.lastReadId')
    .whereRef('directMessage.id', '>', 'conversationSide.deletedUpToId')
    .where(visibleTo(p, 'directMessage.senderId')),
)

/** A message with the users of its conversation. */
const messageWithUsers = query<{ id: MessageId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('conversation', 'conversation.id', 'directMessage.conversationId')
    .select(['directMessage.senderId', 'conversation.lowUserId', 'conversation.highUserId'])
    .where('directMessage.id', '=', p('id')),
)
/** The id of the conversation of two users; undefined before the first message of either. */
export function findConversation(reader: Pick<Reader, 'get'>, oneId: UserId, otherId: UserId): number | undefined {
  return reader.get(conversationOfUsers, { lowUserId: Math.min(oneId, otherId), highUserId: Math.max(oneId, otherId) })
    ?.id
}

/** The same for one of them: undefined also while all of its messages are hidden from this user. */
export function findOwnConversation(reader: Pick<Reader, 'get'>, ownId: UserId, otherId: UserId): number | undefined {
  const conversationId = findConversation(reader, ownId, otherId)
  const side = conversationId && reader.get(conversationSide, { userId: ownId, conversationId })
  return side ? conversationId : undefined
}

/** How many direct messages the user has not read. */
export function countUnread(reader: Pick<Reader, 'get'>, userId: UserId): number {
  return reader.get(unreadTotal, { userId })?.count ?? 0
}

/** The user's latest unread messages, by conversation, the latest conversation first. */
export function listUnreadMessages(
  reader: Pick<Reader, 'all'>,
  viewer: Pick<Viewer, 'userId' | 'role'>,
  limit: number,
) {
  const { userId } = viewer
  const visibility = visibilityOf(viewer)
  return reader
    .all(unreadSides, { userId, limit })
    .flatMap(({ conversationId, otherUserId: senderId, lastReadId, deletedUpToId }) =>
      reader.all(receivedAfter, {
        ...{ conversationId, senderId, above: Math.max(lastReadId, deletedUpToId), limit },
        ...visibility,
      }),
    )
    .slice(0, limit)
    .map(({ mediaType, isRemoved, ...message }) => ({
      ...message,
      content: isRemoved === 1 ? MESSAGE_REMOVED_TEXT : message.content || (mediaType ? mediaPreviews[mediaType] : ''),
    }))
}

/** Those of the messages that the user has received and not read. */
export function listUnreadOf(
  reader: Pick<Reader, 'all'>,
  viewer: Pick<Viewer, 'userId' | 'role'>,
  ids: readonly MessageId[],
) {
  return reader.all(unreadById, { userId: viewer.userId, ids: JSON.stringify(ids), ...visibilityOf(viewer) })
}

/** The two users of a message's conversation, `own` its sender; undefined when there is no such message. */
export function findUsersOfMessage(reader: Pick<Reader, 'get'>, id: MessageId): Participants | undefined {
  const found = reader.get(messageWithUsers, { id })
  if (!found) return undefined
  const { senderId, lowUserId, highUserId } = found
  return getParticipants(reader, senderId, senderId === lowUserId ? highUserId : lowUserId)
}
