import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { REPORT_CONTEXT_MESSAGES } from '../../../../shared/reports/limits.ts'
import type { KeptMessage } from '../../../../shared/reports/report.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../../kernel/live/visible-to.ts'
import { userById } from '../../accounts/queries.ts'
import { conversationSide, directMedia } from '../../direct-messages/queries.ts'
import { removeMessage } from '../../moderation/transactions.ts'
import { query } from '../../schema/query.ts'
import type { ReportSource } from '../queries.ts'

type Range = { conversationId: number; id: MessageId; above: MessageId; limit: number } & VisibilityParams

const rowColumns = ['id', 'conversationId', 'senderId', 'content', 'mediaId', 'createdAt', 'isRemoved'] as const
const messageById = query<{ id: MessageId }>()((db, p) =>
  db.selectFrom('directMessage').select(rowColumns).where('id', '=', p('id')),
)
function messagesBeside(side: 'before' | 'after') {
  return query<Range>()((db, p) =>
    db
      .selectFrom('directMessage')
      .select(rowColumns)
      .where('conversationId', '=', p('conversationId'))
      .where('id', side === 'before' ? '<' : '>', p('id'))
      .where('id', '>', p('above'))
      .where('isRemoved', '=', 0)
      .where(visibleTo(p, 'directMessage.senderId'))
      .orderBy('id', side === 'before' ? 'desc' : 'asc')
      .limit(p('limit')),
  )
}
const visibleMessageById = query<{ id: MessageId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(rowColumns)
    .where('id', '=', p('id'))
    .where('isRemoved', '=', 0)
    .where(visibleTo(p, 'directMessage.senderId')),
)
const messagesBefore = messagesBeside('before')
const messagesAfter = messagesBeside('after')

type MessageRow = NonNullable<ReturnType<typeof findMessage>>

function findMessage(tx: Transaction, id: MessageId) {
  return tx.get(messageById, { id })
}

/**
 * A message that the actor received, with up to five messages around it and their files. Refuses with NotFound for
 * messages that the actor did not receive or has deleted.
 */
export const directMessageSource: ReportSource<'directMessage'> = {
  capture(tx, actor, { messageId }) {
    const { userId } = actor
    const row = tx.get(visibleMessageById, { id: messageId, ...visibilityOf(actor) })
    const side = row && tx.get(conversationSide, { userId, conversationId: row.conversationId })
    if (!side || row.senderId === userId || row.id <= side.deletedUpToId) return refuse('NotFound')
    const messages = withContext(tx, actor, row, side.deletedUpToId).map((message) => keepMessage(tx, message))
    return {
      reportedId: row.senderId,
      key: String(messageId),
      subjectId: messageId,
      content: { kind: 'directMessage', messageId, messages },
      paths: messages.flatMap(({ media }) => (media ? [media.originalPath, media.thumbnailPath] : [])),
    }
  },
  remove(tx, actor, { subjectId }) {
    const row = subjectId === null ? undefined : findMessage(tx, subjectId)
    if (!row || row.isRemoved === 1) return refuse('NotFound')
    return removeMessage(tx, actor, { type: 'directMessage', id: row.id })
  },
}

/** The message and up to five around it, oldest first: those before it, and those after it if there are fewer. */
function withContext(tx: Transaction, actor: Actor, row: MessageRow, above: MessageId): MessageRow[] {
  const { conversationId, id } = row
  const place = { conversationId, id, above, ...visibilityOf(actor) }
  const after = tx.all(messagesAfter, { ...place, limit: Math.floor(REPORT_CONTEXT_MESSAGES / 2) })
  const before = tx.all(messagesBefore, { ...place, limit: REPORT_CONTEXT_MESSAGES - after.length })
  return [...before.reverse(), row, ...after]
}

function keepMessage(tx: Transaction, { id, senderId, content, mediaId, createdAt }: MessageRow): KeptMessage {
  const sender = tx.get(userById, { id: senderId })
  return {
    id,
    senderId,
    senderUsername: sender?.username ?? '',
    senderIsGuest: sender?.isGuest === 1,
    content,
    createdAt,
    media: mediaId === null ? null : directMedia.find(tx, mediaId),
  }
}
