import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'
import type { Participants } from '../relations/access.ts'
import { directMessages, type MessageRow, viewerWithoutBlocks } from './message-table.ts'
import { conversationSide, findConversation } from './sides.ts'

/** The conversation as `own` sees it; undefined before its first message, and while all of them are hidden from this user. */
export function findOwnView(reader: Pick<Reader, 'get'>, participants: Participants) {
  const { own, other } = participants
  const conversationId = findConversation(reader, own.id, other.id)
  const ownSide = conversationId && reader.get(conversationSide, { userId: own.id, conversationId })
  if (!conversationId || !ownSide) return undefined
  const above = ownSide.deletedUpToId
  const readByOtherUpTo = reader.get(conversationSide, { userId: other.id, conversationId })?.lastReadId ?? 0
  const readUpTo = { [own.id]: readByOtherUpTo, [other.id]: ownSide.lastReadId }
  return {
    viewer: viewerWithoutBlocks(own),
    placeId: conversationId,
    /** Messages up to here are deleted. */
    above,
    show: (row: MessageRow<'conversationId'>): DirectMessage =>
      toDirectMessage(reader, participants, row, {
        viewer: own,
        isRead: row.id <= (readUpTo[row.senderId] ?? 0),
        quotesAbove: above,
      }),
  }
}

/** A page of messages as one user sees them, oldest first; `more`: there are further ones on that side. */
export function listDirectMessages(
  reader: Pick<Reader, 'all' | 'get'>,
  participants: Participants,
  range: { id: number; side: 'before' | 'after' },
): { messages: DirectMessage[]; more: boolean } {
  const view = findOwnView(reader, participants)
  if (!view) return { messages: [], more: false }
  const { viewer, placeId, above, show } = view
  const { rows, more } = directMessages.listPage(reader, viewer, { ...range, placeId, above })
  return { messages: rows.map(show), more }
}

/** A message as `own` sees it now; undefined when it is deleted on this side. */
export function findDirectMessage(
  reader: Pick<Reader, 'all' | 'get'>,
  participants: Participants,
  id: MessageId,
): DirectMessage | undefined {
  const { messages } = listDirectMessages(reader, participants, { id: id - 1, side: 'after' })
  return messages[0]?.id === id ? messages[0] : undefined
}

/** How one of the two users sees a message. */
interface MessageView {
  viewer: UserRow
  isRead: boolean
  /** A quote of a message up to here is unavailable. */
  quotesAbove: number
}

/** A message as one of the users of its conversation sees it. */
export function toDirectMessage(
  reader: Pick<Reader, 'get'>,
  { own, other }: Participants,
  row: MessageRow<'conversationId'>,
  { viewer, isRead, quotesAbove }: MessageView,
): DirectMessage {
  const recipient = row.senderId === own.id ? other : own
  const message = directMessages.toMessage(reader, viewerWithoutBlocks(viewer), row, quotesAbove)
  return { ...message, recipientId: recipient.id, recipientUsername: recipient.username, read: isRead }
}

/** Tells both users that a message was removed by a moderator, unless they have deleted it. */
export function emitMessageRemoved(tx: Transaction, participants: Participants, id: MessageId): void {
  const { own, other } = participants
  for (const side of [participants, { own: other, other: own }]) {
    const message = findDirectMessage(tx, side, id)
    if (!message) continue
    const { senderId, recipientId } = message
    tx.emit({ stream: userStream(side.own.id), name: 'directMessageRemoved', payload: { id, senderId, recipientId } })
  }
}
