import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { visibilityOf } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { conversationSide, findConversation } from '../../model/direct-messages/queries.ts'
import { isHiddenFromRecipient, type Participants } from '../../model/relations/access.ts'
import { query } from '../../model/schema/query.ts'

/** One user's side of a conversation before it is read. */
export interface ReadState {
  conversationId: number
  lastReadId: number
  unreadCount: number
}

type SideKey = { userId: UserId; conversationId: number }

/** Its index has hidden messages only. */
const latestHidden = query<{ conversationId: number; senderId: UserId; upToId: number }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select('id')
    .where('conversationId', '=', p('conversationId'))
    .where('senderId', '=', p('senderId'))
    .where('audience', 'is not', null)
    .where('id', '<=', p('upToId'))
    .orderBy('id', 'desc')
    .limit(1),
)
const setShown = query<SideKey & { shownReadId: MessageId }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ shownReadId: p('shownReadId') })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)
const keepShown = query<SideKey & { shownReadId: MessageId }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ shownReadId: p('shownReadId') })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId'))
    .where('shownReadId', 'is', null),
)
const clearShown = query<SideKey>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ shownReadId: null })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId'))
    .where('shownReadId', 'is not', null),
)

/**
 * Shows `other` what `own` has read: nothing of what a ghost-banned user reads; and to one who has messages that are hidden
 * from `own`, those before what `own` has read, or all if `own` has read the rest.
 * @param before the side of `own` before it @param read what is read now; null when nothing is
 */
export function showReadReceipts(
  tx: Transaction,
  participants: Participants,
  before: ReadState,
  read: { last: MessageId; unreadCount: number } | null,
): void {
  const { other } = participants
  const { conversationId } = before
  const ofOther = { userId: other.id, conversationId }
  if (isHiddenFromRecipient(tx, [], participants)) {
    tx.run(keepShown, { ...ofOther, shownReadId: before.lastReadId })
    return
  }
  const { lastReadId, unreadCount } = read ? { lastReadId: read.last, unreadCount: read.unreadCount } : before
  const hiddenId = findHidden(
    tx,
    participants,
    conversationId,
    unreadCount === 0 ? Number.MAX_SAFE_INTEGER : lastReadId,
  )
  if (hiddenId !== undefined) showUpTo(tx, participants, before, Math.max(hiddenId, lastReadId))
  else if (read) {
    tx.run(clearShown, ofOther)
    if (hasKept(tx.get(conversationSide, ofOther), lastReadId)) emitRead(tx, participants, other, lastReadId)
  }
}

/**
 * Shows `other` all hidden messages as read, because `own` has the conversation open and sees its end. Nothing changes for
 * `own`, who does not know of these messages and has perhaps none of the conversation.
 */
export function showHiddenReadReceipts(tx: Transaction, participants: Participants): void {
  const { own, other } = participants
  const conversationId = own.isGhost === 1 ? undefined : findConversation(tx, own.id, other.id)
  if (conversationId === undefined) return
  const { lastReadId = 0, unreadCount = 0 } = tx.get(conversationSide, { userId: own.id, conversationId }) ?? {}
  const hiddenId = findHidden(tx, participants, conversationId, Number.MAX_SAFE_INTEGER)
  if (hiddenId === undefined || unreadCount > 0) return
  showUpTo(tx, participants, { conversationId, lastReadId }, hiddenId)
}

/** Tells one of the two that `own` has read the messages of `other`. */
export function emitRead(tx: Transaction, { own, other }: Participants, to: UserRow, upToId: MessageId): void {
  const payload = {
    readerId: own.id,
    readerUsername: own.username,
    otherId: other.id,
    otherUsername: other.username,
    upToId,
  }
  tx.emit({ stream: userStream(to.id), name: 'messagesRead', payload, actorId: own.id })
}

/** The latest message of `other` that is hidden from `own`. */
function findHidden(tx: Transaction, { own, other }: Participants, conversationId: number, upToId: number) {
  if (visibilityOf({ userId: own.id, role: own.role }).readsAll === 1) return undefined
  return tx.get(latestHidden, { conversationId, senderId: other.id, upToId })?.id
}

/** Whether the user of this side still has the message: ticks of deleted ones are of no use, and a hidden one has none. */
function hasKept(side: { deletedUpToId: MessageId } | undefined, id: MessageId): boolean {
  return side !== undefined && side.deletedUpToId < id
}

function showUpTo(
  tx: Transaction,
  participants: Participants,
  { conversationId, lastReadId }: Pick<ReadState, 'conversationId' | 'lastReadId'>,
  upToId: MessageId,
): void {
  const { other } = participants
  const side = tx.get(conversationSide, { userId: other.id, conversationId })
  if (!side || !hasKept(side, upToId) || upToId <= (side.shownReadId ?? lastReadId)) return
  tx.run(setShown, { userId: other.id, conversationId, shownReadId: upToId })
  emitRead(tx, participants, other, upToId)
}
