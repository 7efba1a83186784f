import { CONVERSATIONS_PER_PAGE } from '../../../shared/direct-messages/limits.ts'
import type { ConversationEntry } from '../../../shared/direct-messages/message.ts'
import { conversationPreview } from '../../../shared/direct-messages/rules.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../shared/sanctions/message-removed-text.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { isShownAsGhost, type Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { query } from '../../model/schema/query.ts'

const conversationsBefore = query<{ userId: UserId; before: number; limit: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('conversationSide as own')
    .innerJoin('directMessage as last', 'last.id', 'own.lastMessageId')
    .innerJoin('user', 'user.id', 'own.otherUserId')
    // None while all that this user has written is hidden from the other.
    .leftJoin('conversationSide as others', (join) =>
      join.onRef('others.userId', '=', 'own.otherUserId').onRef('others.conversationId', '=', 'own.conversationId'),
    )
    .leftJoin('directMedia', 'directMedia.id', 'last.mediaId')
    .select((eb) => [
      'user.id',
      'user.username',
      'user.avatarUrl',
      'user.gender',
      'user.isGuest',
      'last.id as lastMessageId',
      'last.content',
      'last.isRemoved',
      'last.createdAt',
      'last.senderId',
      'directMedia.mediaType',
      'own.unreadCount',
      'own.lastReadId',
      eb.fn.coalesce('others.lastReadId', eb.lit(0)).as('readByOtherUpToId'),
      'last.audience',
    ])
    .where('own.userId', '=', p('userId'))
    .where('own.lastMessageId', '<', p('before'))
    .where(visibleTo(p, 'last.senderId'))
    .orderBy('own.lastMessageId', 'desc')
    .limit(p('limit')),
)
/** A page of a user's conversations, the latest first; `next` is the `before` of the next page, null on the last one. */
export function listConversations(
  reader: Pick<Reader, 'all'>,
  viewer: Pick<Viewer, 'userId' | 'role'>,
  isOnline: (userId: UserId) => boolean,
  before: MessageId = Number.MAX_SAFE_INTEGER,
): { conversations: ConversationEntry[]; next: MessageId | null } {
  const { userId } = viewer
  const rows = reader.all(conversationsBefore, {
    ...{ userId, before, limit: CONVERSATIONS_PER_PAGE + 1 },
    ...visibilityOf(viewer),
  })
  const shown = rows.slice(0, CONVERSATIONS_PER_PAGE)
  return {
    conversations: shown.map((row) => {
      const isOwn = row.senderId === userId
      return {
        id: row.id,
        username: row.username,
        avatarUrl: row.isGuest === 1 ? null : row.avatarUrl,
        gender: row.gender,
        isGuest: row.isGuest === 1,
        isOnline: isOnline(row.id),
        lastMessage: row.isRemoved === 1 ? MESSAGE_REMOVED_TEXT : conversationPreview(row.content, row.mediaType),
        lastMessageId: row.lastMessageId,
        mediaType: row.mediaType,
        createdAt: row.createdAt,
        isOwn,
        read: row.lastMessageId <= (isOwn ? row.readByOtherUpToId : row.lastReadId),
        unreadCount: row.unreadCount,
        ...(isShownAsGhost(viewer, { actorId: row.senderId, audience: row.audience }) && { isGhost: true as const }),
      }
    }),
    next: rows.length > CONVERSATIONS_PER_PAGE ? (shown.at(-1)?.lastMessageId ?? null) : null,
  }
}
