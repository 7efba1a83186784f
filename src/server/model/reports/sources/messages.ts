import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { REPORT_CONTEXT_MESSAGES } from '../../../../shared/reports/limits.ts'
import type { KeptMessage } from '../../../../shared/reports/report.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { NO_BLOCKS, type Viewer } from '../../../kernel/live/visibility.ts'
import {
  canSeeMessage,
  directMessages,
  type MessageRow,
  type MessageTable,
  roomMessages,
  viewerWithoutBlocks,
} from '../../conversations/message-table.ts'
import { conversationSide } from '../../conversations/sides.ts'
import { getRemovedRanges, isRemoved } from '../../message-removal/queries.ts'
import { removeMessage } from '../../moderation/transactions.ts'
import { viewerOf } from '../../relations/queries.ts'
import { findContentRefusal } from '../../rooms/access.ts'
import { roomById } from '../../rooms/queries.ts'
import type { ReportSource } from '../queries.ts'

type Place = 'roomId' | 'conversationId'

/**
 * A message of a room that is open to the actor, with up to five around it that the actor may see, and their files.
 * Refuses as the room does, and with NotFound for a message that the actor may not see.
 */
export const roomMessageSource: ReportSource<'roomMessage'> = {
  capture(tx, actor, { messageId, roomId }) {
    const refusal = findContentRefusal({ clock: () => tx.now }, tx, actor, roomId)
    if (refusal) return refusal
    const row = findShown(tx, roomMessages, messageId)
    const room = tx.get(roomById, { id: roomId })
    const viewer = viewerOf(tx, actor)
    // One who has blocked its sender may have seen it before.
    if (row?.roomId !== roomId || !room || !canSeeMessage({ ...viewer, blockedIds: NO_BLOCKS }, row))
      return refuse('NotFound')
    const removed = getRemovedRanges(tx, roomId)
    const isKept = (message: MessageRow<'roomId'>) => !isRemoved(removed, message)
    const place = { placeId: roomId, above: removed.roomUpToId, isKept }
    const { messages, ...subject } = captureMessages(tx, roomMessages, viewer, row, place)
    return { ...subject, roomId, content: { kind: 'roomMessage', messageId, messages, roomId, roomName: room.name } }
  },
  remove(tx, actor, { subjectId, roomId }) {
    const row = subjectId === null ? undefined : findShown(tx, roomMessages, subjectId)
    return row && row.roomId === roomId
      ? removeMessage(tx, actor, { type: 'roomMessage', id: row.id })
      : refuse('NotFound')
  },
}

/**
 * A message that the actor received, with up to five messages around it and their files. Refuses with NotFound for
 * messages that the actor did not receive or has deleted.
 */
export const directMessageSource: ReportSource<'directMessage'> = {
  capture(tx, actor, { messageId }) {
    const { userId } = actor
    const viewer = viewerWithoutBlocks({ id: userId, role: actor.role })
    const row = findShown(tx, directMessages, messageId)
    const side = row && tx.get(conversationSide, { userId, conversationId: row.conversationId })
    if (!side || row.senderId === userId || row.id <= side.deletedUpToId || !canSeeMessage(viewer, row))
      return refuse('NotFound')
    const place = { placeId: row.conversationId, above: side.deletedUpToId }
    const { messages, ...subject } = captureMessages(tx, directMessages, viewer, row, place)
    return { ...subject, content: { kind: 'directMessage', messageId, messages } }
  },
  remove(tx, actor, { subjectId }) {
    const row = subjectId === null ? undefined : findShown(tx, directMessages, subjectId)
    return row ? removeMessage(tx, actor, { type: 'directMessage', id: row.id }) : refuse('NotFound')
  },
}

/** A message that is there with its text. */
function findShown<P extends Place>(tx: Transaction, table: MessageTable<P>, id: MessageId): MessageRow<P> | undefined {
  const row = table.find(tx, id)
  return row?.isRemoved === 0 ? row : undefined
}

/** What a report keeps of a message: up to five around it as the viewer sees them, those after it if there are fewer before. */
function captureMessages<P extends Place>(
  tx: Transaction,
  table: MessageTable<P>,
  viewer: Viewer,
  row: MessageRow<P>,
  place: { placeId: number; above: MessageId; isKept?: (row: MessageRow<P>) => boolean },
) {
  const beside = (side: 'before' | 'after') =>
    table
      .listPage(tx, viewer, { ...place, id: row.id, side, maxReads: 1 })
      .rows.filter(({ isRemoved }) => isRemoved === 0)
  const after = beside('after').slice(0, Math.floor(REPORT_CONTEXT_MESSAGES / 2))
  const before = beside('before').slice(after.length - REPORT_CONTEXT_MESSAGES)
  const messages = [...before, row, ...after].map((message) => keepMessage(tx, table, message))
  return {
    messages,
    reportedId: row.senderId,
    key: String(row.id),
    subjectId: row.id,
    paths: messages.flatMap(({ media }) => (media ? [media.originalPath, media.thumbnailPath] : [])),
  }
}

function keepMessage<P extends Place>(tx: Transaction, table: MessageTable<P>, row: MessageRow<P>): KeptMessage {
  const { id, senderId, senderUsername, senderIsGuest, content, mediaId, createdAt } = row
  const media = mediaId === null ? null : table.media.find(tx, mediaId)
  return { id, senderId, senderUsername, senderIsGuest: senderIsGuest === 1, content, createdAt, media }
}
