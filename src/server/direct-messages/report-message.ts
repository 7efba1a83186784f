import { REPORT_CONTEXT_MESSAGES } from '../../shared/direct-messages/limits.ts'
import { MESSAGE_REPORTED } from '../../shared/direct-messages/rules.ts'
import type { MessageId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { DirectMessageRow } from './message-pages.ts'
import { conversationSide } from './queries.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from './visible-to.ts'

export interface ReportMessage {
  messageId: MessageId
}

const messageById = query<{ id: MessageId } & VisibilityParams>()((db, p) =>
  db.selectFrom('directMessage').selectAll().where('id', '=', p('id')).where(visibleTo(p)),
)
type Around = { conversationId: number; id: MessageId; limit: number } & VisibilityParams
const messagesUpTo = query<Around & { above: number }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .selectAll()
    .where('conversationId', '=', p('conversationId'))
    .where('id', '<', p('id'))
    .where('id', '>', p('above'))
    .where(visibleTo(p))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const messagesFrom = query<Around>()((db, p) =>
  db
    .selectFrom('directMessage')
    .selectAll()
    .where('conversationId', '=', p('conversationId'))
    .where('id', '>', p('id'))
    .where(visibleTo(p))
    .orderBy('id')
    .limit(p('limit')),
)
const reportOf = query<{ messageId: MessageId; reporterId: UserId }>()((db, p) =>
  db
    .selectFrom('directMessageReport')
    .select('id')
    .where('messageId', '=', p('messageId'))
    .where('reporterId', '=', p('reporterId')),
)
const insertReport = query<{
  messageId: MessageId
  reporterId: UserId
  reportedId: UserId
  messages: string
  now: number
}>()((db, p) =>
  db.insertInto('directMessageReport').values({
    messageId: p('messageId'),
    reporterId: p('reporterId'),
    reportedId: p('reportedId'),
    messages: p('messages'),
    createdAt: p('now'),
  }),
)

const keepMedia = query<{ id: number }>()((db, p) =>
  db.updateTable('directMedia').set({ isReported: 1, expiresAt: null }).where('id', '=', p('id')),
)

/**
 * Keeps a message that the actor received, with up to five messages around it and their files, for the root admins. Refuses with NotFound
 * for messages that the actor did not receive or has deleted.
 */
export const reportMessage = defineWrite({
  name: 'reportDirectMessage',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(
    tx: Transaction,
    actor: Actor | null,
    { messageId }: ReportMessage,
  ): { success: true; message: string } | Refusal {
    const row = actor && tx.get(messageById, { id: messageId, ...visibilityOf(actor) })
    const side = actor && row && tx.get(conversationSide, { userId: actor.userId, conversationId: row.conversationId })
    if (!side || row.senderId === actor.userId || row.id <= side.deletedUpToId) return refuse('NotFound')
    const reporterId = actor.userId
    if (!tx.get(reportOf, { messageId, reporterId })) {
      const kept = withContext(tx, actor, row, side.deletedUpToId)
      const messages = JSON.stringify(kept)
      tx.run(insertReport, { messageId, reporterId, reportedId: row.senderId, messages, now: tx.now })
      for (const { mediaId } of kept) if (mediaId !== null) tx.run(keepMedia, { id: mediaId })
    }
    return { success: true, message: MESSAGE_REPORTED }
  },
})

/**
 * The message and up to five around it that the actor may read, oldest first: those before it, and those after it if there
 * are fewer.
 */
function withContext(tx: Transaction, actor: Actor, row: DirectMessageRow, above: number): DirectMessageRow[] {
  const { conversationId, id } = row
  const place = { conversationId, id, ...visibilityOf(actor) }
  const after = tx.all(messagesFrom, { ...place, limit: Math.floor(REPORT_CONTEXT_MESSAGES / 2) })
  const before = tx.all(messagesUpTo, { ...place, above, limit: REPORT_CONTEXT_MESSAGES - after.length })
  return [...before.reverse(), row, ...after]
}
