import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { directMessages } from '../../model/conversations/message-table.ts'
import { conversationSide, findConversation } from '../../model/conversations/sides.ts'
import { getParticipants, type Participants } from '../../model/relations/access.ts'
import { query } from '../../model/schema/query.ts'
import type { ConversationTarget } from './hide-conversation.ts'

const lastMessage = query<{ conversationId: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select('id')
    .where('conversationId', '=', p('conversationId'))
    .where(visibleTo(p, 'directMessage.senderId'))
    .orderBy('id', 'desc')
    .limit(1),
)
const deleteSideUpTo = query<{ userId: UserId; conversationId: number; upToId: MessageId }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ lastMessageId: null, unreadCount: 0, deletedUpToId: p('upToId') })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)
const markToPurge = query<{ id: number; upToId: MessageId }>()((db, p) =>
  db
    .updateTable('conversation')
    .set({ purgeUpToId: p('upToId') })
    .where('id', '=', p('id')),
)
const conversationsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('conversationSide').select('otherUserId').where('userId', '=', p('userId')),
)
/** Leaves the newest of all messages: SQLite would give its id again, and `deletedUpToId` would hide that message. */
const nextToPurge = query()((db) =>
  db
    .selectFrom('conversation')
    .select(['id', 'purgeUpToId'])
    .where('purgeUpToId', '<', (eb) => eb.selectFrom('directMessage').select((max) => max.fn.max('id').as('id')))
    .limit(1),
)
const messagesToPurge = query<{ conversationId: number; upToId: MessageId; limit: number }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(['id', 'mediaId'])
    .where('conversationId', '=', p('conversationId'))
    .where('id', '<=', p('upToId'))
    .orderBy('id')
    .limit(p('limit')),
)
const deleteMessage = query<{ id: MessageId }>()((db, p) => db.deleteFrom('directMessage').where('id', '=', p('id')))
const endPurge = query<{ id: number }>()((db, p) =>
  db.updateTable('conversation').set({ purgeUpToId: null }).where('id', '=', p('id')),
)

/** Messages removed by one step of the purge. */
const PURGE_STEP = 500

/** Deletes the messages of a conversation for the actor. The other user keeps theirs and is not notified. */
export const deleteConversation = defineCommand({
  name: 'deleteConversation',
  run(tx: Transaction, actor: Actor | null, { otherUserId }: ConversationTarget): { success: true } | Refusal {
    const participants = actor && getParticipants(tx, actor.userId, otherUserId)
    if (!participants) return refuse('NotFound')
    deleteFor(tx, participants)
    return { success: true }
  },
})

/** Removes messages that both users have deleted, some at a time. */
export const purgeDirectMessages = defineCommand({
  name: 'purgeDirectMessages',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction): { removed: number } {
    let removed = 0
    while (removed < PURGE_STEP) {
      const conversation = tx.get(nextToPurge)
      if (!conversation || conversation.purgeUpToId === null) break
      const { id, purgeUpToId } = conversation
      const limit = PURGE_STEP - removed
      const messages = tx.all(messagesToPurge, { conversationId: id, upToId: purgeUpToId, limit })
      for (const { id: messageId } of messages) tx.run(deleteMessage, { id: messageId })
      for (const { mediaId } of messages) if (mediaId !== null) directMessages.media.expire(tx, mediaId)
      removed += messages.length
      if (messages.length < limit) tx.run(endPurge, { id })
    }
    return { removed }
  },
})

/** Ends all conversations of a guest who has left for good, for both sides (specification 1, point 7, `dmCleared`). */
export function clearConversationsOf(tx: Transaction, guestId: UserId): void {
  for (const { otherUserId } of tx.all(conversationsOfUser, { userId: guestId })) {
    const participants = getParticipants(tx, guestId, otherUserId)
    if (!participants) continue
    deleteFor(tx, participants)
    deleteFor(tx, { own: participants.other, other: participants.own })
  }
}

/** Deletes all messages on the side of `own`, and notifies the own connections. */
function deleteFor(tx: Transaction, { own, other }: Participants): void {
  const conversationId = findConversation(tx, own.id, other.id)
  const upToId = conversationId && findLast(tx, own, conversationId)
  if (!conversationId || !upToId) return
  tx.run(deleteSideUpTo, { userId: own.id, conversationId, upToId })
  const latestId = tx.get(lastMessage, { conversationId, viewerId: own.id, readsAll: 1 })?.id ?? 0
  const both = Math.min(...[own, other].map((user) => deletedUpTo(tx, user, conversationId)), latestId)
  if (both > 0) tx.run(markToPurge, { id: conversationId, upToId: both })
  const payload = { username: other.username, userId: other.id }
  tx.emit({ stream: userStream(own.id), name: 'dmCleared', payload })
}

/** The last message that the user may read. */
function findLast(tx: Transaction, { id: userId, role }: UserRow, conversationId: number): MessageId | undefined {
  return tx.get(lastMessage, { conversationId, ...visibilityOf({ userId, role }) })?.id
}

/** Up to where the user keeps no message: all of them, if those that the user has not deleted are hidden from the user. */
function deletedUpTo(tx: Transaction, user: UserRow, conversationId: number): number {
  const { deletedUpToId = 0 } = tx.get(conversationSide, { userId: user.id, conversationId }) ?? {}
  return (findLast(tx, user, conversationId) ?? 0) > deletedUpToId ? deletedUpToId : Number.MAX_SAFE_INTEGER
}
