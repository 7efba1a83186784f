import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import type { MessageType } from '../../../shared/sanctions/protocol.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'

type RemovedContent = { content: string; mediaId: number | null; replyToId: MessageId | null }

const messageTables = { roomMessage: 'message', directMessage: 'directMessage' } as const

const rowQueries = { roomMessage: compileQueries('roomMessage'), directMessage: compileQueries('directMessage') }

function compileQueries(type: MessageType) {
  // The queries below use only columns that both tables have.
  const table = messageTables[type] as 'message'
  return {
    byId: query<{ id: MessageId }>()((db, p) =>
      db
        .selectFrom(table)
        .select(['senderId', 'content', 'mediaId', 'replyToId', 'isRemoved'])
        .where('id', '=', p('id')),
    ),
    clear: query<{ id: MessageId }>()((db, p) =>
      db
        .updateTable(table)
        .set({ content: '', mediaId: null, replyToId: null, isRemoved: 1 })
        .where('id', '=', p('id')),
    ),
  }
}

const fillRow = query<RemovedContent & { id: MessageId }>()((db, p) =>
  db
    .updateTable('message')
    .set((eb) => ({
      content: p('content'),
      // Its row may have been deleted with another message that used it.
      mediaId: eb.selectFrom('roomMedia').select('id').where('id', '=', p('mediaId')),
      replyToId: p('replyToId'),
      isRemoved: 0,
    }))
    .where('id', '=', p('id')),
)

const insertRemoved = query<
  RemovedContent & { type: MessageType; messageId: MessageId; senderId: UserId; removedById: UserId; now: number }
>()((db, p) =>
  db.insertInto('removedMessage').values({
    type: p('type'),
    messageId: p('messageId'),
    senderId: p('senderId'),
    content: p('content'),
    mediaId: p('mediaId'),
    replyToId: p('replyToId'),
    removedById: p('removedById'),
    removedAt: p('now'),
  }),
)
const deleteRemoved = query<{ type: MessageType; messageId: MessageId }>()((db, p) =>
  db.deleteFrom('removedMessage').where('type', '=', p('type')).where('messageId', '=', p('messageId')),
)

/** A message as `removeMessage` names it. */
export interface MessageTarget {
  type: MessageType
  id: MessageId
}

/** Moves what a message has out of its row. Every read of messages then finds it empty; its place and its id stay. Returns false when it was removed before. */
export function clearMessageRow(tx: Transaction, { type, id }: MessageTarget, removedById: UserId): boolean {
  const row = tx.get(rowQueries[type].byId, { id })
  if (!row || row.isRemoved === 1) return false
  const { senderId, content, mediaId, replyToId } = row
  tx.run(insertRemoved, { type, messageId: id, senderId, content, mediaId, replyToId, removedById, now: tx.now })
  tx.run(rowQueries[type].clear, { id })
  return true
}

/** Moves what a message of a room had back into its row. */
export function fillMessageRow(tx: Transaction, id: MessageId, { content, mediaId, replyToId }: RemovedContent): void {
  tx.run(fillRow, { id, content, mediaId, replyToId })
  deleteRemovedContent(tx, { type: 'roomMessage', id })
}

/** Deletes what a removed message had. */
export function deleteRemovedContent(tx: Transaction, { type, id }: MessageTarget): void {
  tx.run(deleteRemoved, { type, messageId: id })
}
