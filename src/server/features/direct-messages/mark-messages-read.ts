import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { conversationSide, findOwnConversation } from '../../model/conversations/sides.ts'
import { getParticipants, type Participants } from '../../model/relations/access.ts'
import { query } from '../../model/schema/query.ts'

export interface MarkMessagesRead {
  otherUserId: UserId
  /** Messages up to here; all without it. */
  upToId: MessageId | null
}

/** One user's side of a conversation before it is read. */
interface ReadState {
  conversationId: number
  lastReadId: number
  unreadCount: number
  deletedUpToId: number
}

const NO_ROWS = { rows: 0, received: 0, lastReceivedId: null }
/** Rows that one command counts in each direction. */
const MAX_COUNTED_ROWS = 500

const latestMessage = query<{ conversationId: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select('id')
    .where('conversationId', '=', p('conversationId'))
    .where(visibleTo(p, 'directMessage.senderId'))
    .orderBy('id', 'desc')
    .limit(1),
)
/** Counts the last rows of a range, and the received ones among them. */
type CountedRange = { conversationId: number; senderId: UserId; above: number; upToId: number } & VisibilityParams
const countRows = query<CountedRange>()((db, p) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('directMessage')
        .select(['id', 'senderId'])
        .where('conversationId', '=', p('conversationId'))
        .where('id', '>', p('above'))
        .where('id', '<=', p('upToId'))
        .where(visibleTo(p, 'directMessage.senderId'))
        .orderBy('id', 'desc')
        .limit(MAX_COUNTED_ROWS)
        .as('row'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('rows'),
      eb.fn.countAll<number>().filterWhere('row.senderId', '=', p('senderId')).as('received'),
      eb.fn.max<number | null>('row.id').filterWhere('row.senderId', '=', p('senderId')).as('lastReceivedId'),
    ]),
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
export const markMessagesRead = defineCommand({
  name: 'markMessagesRead',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, { otherUserId, upToId }: MarkMessagesRead): { success: true } | Refusal {
    const participants = actor && getParticipants(tx, actor.userId, otherUserId)
    if (!participants) return refuse('NotFound')
    markRead(tx, participants, upToId ?? Number.MAX_SAFE_INTEGER)
    return { success: true }
  },
})

/** Marks the messages that `own` got from `other` as read, up to an id, and notifies both. Deleted ones stay unread. */
export function markRead(tx: Transaction, participants: Participants, upToId: number): void {
  const { own, other } = participants
  const conversationId = findOwnConversation(tx, own.id, other.id)
  const side = conversationId && tx.get(conversationSide, { userId: own.id, conversationId })
  const found = side && side.unreadCount > 0 ? findRead(tx, side, participants, upToId) : null
  if (!conversationId || !found) return
  const { last: lastReadId, unreadCount } = found
  tx.run(setRead, { userId: own.id, conversationId, lastReadId, unreadCount })
  emitRead(tx, participants, own, lastReadId)
  // Ticks of messages that the other user has deleted are of no use.
  const others = tx.get(conversationSide, { userId: other.id, conversationId })
  if (others && others.deletedUpToId < lastReadId) emitRead(tx, participants, other, lastReadId)
}

/** Tells one of the two that `own` has read the messages of `other`. */
function emitRead(tx: Transaction, { own, other }: Participants, to: UserRow, upToId: MessageId): void {
  const payload = {
    readerId: own.id,
    readerUsername: own.username,
    otherId: other.id,
    otherUsername: other.username,
    upToId,
  }
  tx.emit({ stream: userStream(to.id), name: 'messagesRead', payload, actorId: own.id })
}

/**
 * The last message that is read now, and how many stay unread; null when none is read. They are counted in the rows that
 * stay or in those that are read, whichever are few. Between two large parts the number is too high until the rest is read.
 */
function findRead(
  tx: Transaction,
  { conversationId, unreadCount, lastReadId, deletedUpToId }: ReadState,
  { own, other }: Participants,
  upToId: number,
): { last: MessageId; unreadCount: number } | null {
  const visibility = visibilityOf({ userId: own.id, role: own.role })
  const count = (above: number, upTo: number) =>
    tx.get(countRows, { conversationId, senderId: other.id, above, upToId: upTo, ...visibility }) ?? NO_ROWS
  const limit = Math.min(upToId, tx.get(latestMessage, { conversationId, ...visibility })?.id ?? 0)
  const read = count(Math.max(lastReadId, deletedUpToId), limit)
  if (read.received === 0 && read.rows < MAX_COUNTED_ROWS) return null
  const rest = count(limit, Number.MAX_SAFE_INTEGER)
  const isRestFew = rest.rows < MAX_COUNTED_ROWS
  return {
    last: read.lastReceivedId ?? limit,
    unreadCount: isRestFew ? rest.received : Math.max(0, unreadCount - read.received),
  }
}
