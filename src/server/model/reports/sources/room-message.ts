import type { MessageId, RoomId } from '../../../../shared/protocol/ids.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { REPORT_CONTEXT_MESSAGES } from '../../../../shared/reports/limits.ts'
import type { KeptMessage } from '../../../../shared/reports/report.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import type { Viewer } from '../../../kernel/live/visibility.ts'
import { notRemoved } from '../../message-removal/queries.ts'
import { removeMessage } from '../../moderation/transactions.ts'
import { viewerOf } from '../../relations/queries.ts'
import { canSeeMessage, messageColumns, roomMedia } from '../../room-chat/queries.ts'
import { findContentRefusal } from '../../rooms/access.ts'
import { roomById } from '../../rooms/queries.ts'
import { query } from '../../schema/query.ts'
import type { ReportSource } from '../queries.ts'

/** Messages that are read on each side for the context: some may be hidden from the reporter. */
const READ_MESSAGES = 20

const messageById = query<{ id: MessageId; roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(messageColumns)
    .where('message.id', '=', p('id'))
    .where('message.roomId', '=', p('roomId'))
    .where('message.isRemoved', '=', 0)
    .where(notRemoved),
)
function messagesBeside(side: 'before' | 'after') {
  return query<{ id: MessageId; roomId: RoomId }>()((db, p) =>
    db
      .selectFrom('message')
      .innerJoin('user', 'user.id', 'message.senderId')
      .select(messageColumns)
      .where('message.roomId', '=', p('roomId'))
      .where('message.id', side === 'before' ? '<' : '>', p('id'))
      .where('message.isRemoved', '=', 0)
      .where(notRemoved)
      .orderBy('message.id', side === 'before' ? 'desc' : 'asc')
      .limit(READ_MESSAGES),
  )
}
const messagesBefore = messagesBeside('before')
const messagesAfter = messagesBeside('after')

type MessageRow = NonNullable<ReturnType<typeof findMessage>>

function findMessage(tx: Transaction, id: MessageId, roomId: RoomId) {
  return tx.get(messageById, { id, roomId })
}

/**
 * A message of a room that is open to the actor, with up to five around it that the actor may see, and their files.
 * Refuses as the room does, and with NotFound for a message that the actor may not see.
 */
export const roomMessageSource: ReportSource<'roomMessage'> = {
  capture(tx, actor, { messageId, roomId }) {
    const refusal = findContentRefusal({ clock: () => tx.now }, tx, actor, roomId)
    if (refusal) return refusal
    const row = findMessage(tx, messageId, roomId)
    const room = tx.get(roomById, { id: roomId })
    if (!row || !room || !canReport(tx, actor, row)) return refuse('NotFound')
    const messages = withContext(tx, viewerOf(tx, actor), row).map((message) => keepMessage(tx, message))
    return {
      reportedId: row.senderId,
      key: String(messageId),
      subjectId: messageId,
      roomId,
      content: { kind: 'roomMessage', messageId, messages, roomId, roomName: room.name },
      paths: messages.flatMap(({ media }) => (media ? [media.originalPath, media.thumbnailPath] : [])),
    }
  },
  remove(tx, actor, { subjectId, roomId }) {
    const row = subjectId === null || roomId === null ? undefined : findMessage(tx, subjectId, roomId)
    return row ? removeMessage(tx, actor, { type: 'roomMessage', id: row.id }) : refuse('NotFound')
  },
}

/** Whether the actor sees the message. One who has blocked its sender may have seen it before. */
function canReport(tx: Transaction, actor: Actor, row: MessageRow): boolean {
  return canSeeMessage({ ...viewerOf(tx, actor), blockedIds: new Set() }, row)
}

/** The message and up to five around it, oldest first: those before it, and those after it if there are fewer. */
function withContext(tx: Transaction, viewer: Viewer, row: MessageRow): MessageRow[] {
  const { id, roomId } = row
  const isShown = (message: MessageRow) => canSeeMessage(viewer, message)
  const after = tx
    .all(messagesAfter, { id, roomId })
    .filter(isShown)
    .slice(0, Math.floor(REPORT_CONTEXT_MESSAGES / 2))
  const before = tx
    .all(messagesBefore, { id, roomId })
    .filter(isShown)
    .slice(0, REPORT_CONTEXT_MESSAGES - after.length)
  return [...before.reverse(), row, ...after]
}

function keepMessage(tx: Transaction, row: MessageRow): KeptMessage {
  const { id, senderId, senderUsername, senderIsGuest, content, mediaId, createdAt } = row
  const media = mediaId === null ? null : roomMedia.find(tx, mediaId)
  return { id, senderId, senderUsername, senderIsGuest: senderIsGuest === 1, content, createdAt, media }
}
