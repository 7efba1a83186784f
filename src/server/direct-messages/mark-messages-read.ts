import type { MessageId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import { userStream } from '../database/streams.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { conversationSide, findConversation, getParticipants, type Participants } from './queries.ts'

export interface MarkMessagesRead {
  otherUserId: UserId
  /** Messages up to here; all without it. */
  upToId: MessageId | null
}

const lastReceived = query<{ conversationId: number; senderId: UserId; above: number; upToId: number }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select('id')
    .where('conversationId', '=', p('conversationId'))
    .where('senderId', '=', p('senderId'))
    .where('id', '>', p('above'))
    .where('id', '<=', p('upToId'))
    .orderBy('id', 'desc')
    .limit(1),
)
const countReceivedAfter = query<{ conversationId: number; senderId: UserId; id: MessageId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('conversationId', '=', p('conversationId'))
    .where('senderId', '=', p('senderId'))
    .where('id', '>', p('id')),
)
const setRead = query<{ userId: UserId; conversationId: number; lastReadId: MessageId; unreadCount: number }>()(
  (db, p) =>
    db
      .updateTable('conversationSide')
      .set({ lastReadId: p('lastReadId'), unreadCount: p('unreadCount') })
      .where('userId', '=', p('userId'))
      .where('conversationId', '=', p('conversationId')),
)

/** Marks the other user's messages as read by the actor. What is read already is not sent again. */
export const markMessagesRead = defineWrite({
  name: 'markMessagesRead',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { otherUserId, upToId }: MarkMessagesRead): { success: true } | Refusal {
    const participants = actor && getParticipants(tx, actor.userId, otherUserId)
    if (!participants) return refuse('NotFound')
    markRead(tx, participants, upToId ?? Number.MAX_SAFE_INTEGER)
    return { success: true }
  },
})

/** Marks the messages that `own` got from `other` as read, up to an id, and notifies both. Deleted ones stay unread. */
export function markRead(tx: Transaction, { own, other }: Participants, upToId: number): void {
  const conversationId = findConversation(tx, own.id, other.id)
  const side = conversationId && tx.get(conversationSide, { userId: own.id, conversationId })
  if (!conversationId || !side || side.unreadCount === 0) return
  const above = Math.max(side.lastReadId, side.deletedUpToId)
  const last = tx.get(lastReceived, { conversationId, senderId: other.id, above, upToId })?.id
  if (last === undefined) return
  const unreadCount = tx.get(countReceivedAfter, { conversationId, senderId: other.id, id: last })?.count ?? 0
  tx.run(setRead, { userId: own.id, conversationId, lastReadId: last, unreadCount })
  const payload = {
    readerId: own.id,
    readerUsername: own.username,
    otherId: other.id,
    otherUsername: other.username,
    upToId: last,
  }
  for (const { id } of [own, other]) tx.emit({ stream: userStream(id), name: 'messagesRead', payload })
}
