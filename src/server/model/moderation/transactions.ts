import type { MessageId, RoomId, UserId, WarningId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_OPEN_WARNINGS } from '../../../shared/sanctions/limits.ts'
import {
  CANNOT_REMOVE_OF_STAFF,
  CANNOT_RESTORE_OF_ROOT_ADMIN,
  CANNOT_WARN_ROOT_ADMIN,
  CANNOT_WARN_SELF,
} from '../../../shared/sanctions/texts.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { recordAction } from '../audit/transactions.ts'
import { emitMessageRemoved } from '../conversations/direct-messages.ts'
import { reindexMessage } from '../conversations/index-messages.ts'
import { type MessageRow, roomMessages } from '../conversations/message-table.ts'
import { PUBLIC_VIEWER, toMessage } from '../conversations/room-messages.ts'
import { findUsersOfMessage } from '../conversations/sides.ts'
import { removeMentions } from '../notifications/transactions.ts'
import { findManagedRoom } from '../rooms/access.ts'
import { isRoomStaff } from '../rooms/queries.ts'
import { insertRow } from '../schema/query.ts'
import { clearMessageRow, fillMessageRow, type MessageTarget } from './message-rows.ts'
import { listOpenWarnings, removedMessageById } from './queries.ts'

const insertWarning = insertRow('warning', ['userId', 'text', 'warnedById', 'at'], {
  confirmedAt: null,
  withdrawnAt: null,
})

/** Warns a user, who must confirm the text. For root admins; refuses with Forbidden or TooManyWarnings. */
export function warnUser(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { text }: { text: string },
): WarningId | Refusal {
  if (actor.role !== 'rootadmin') return refuse('Forbidden')
  if (target.id === actor.userId) return refuse('Forbidden', { message: CANNOT_WARN_SELF })
  if (target.role === 'rootadmin') return refuse('Forbidden', { message: CANNOT_WARN_ROOT_ADMIN })
  if (listOpenWarnings(tx, target.id).length >= MAX_OPEN_WARNINGS) return refuse('TooManyWarnings')
  const { lastId: id } = tx.run(insertWarning, { userId: target.id, text, warnedById: actor.userId, at: tx.now })
  tx.emit({ stream: userStream(target.id), name: 'newWarning', payload: { id, text, at: tx.now } })
  const subject = { type: 'warning', id }
  recordAction(tx, { kind: 'userWarned', actorId: actor.userId, targetUserId: target.id, subject, reason: text })
  return id
}

/**
 * Removes a message: its place stays and says so. A removed one stays so. Root admins remove any message, a direct one
 * because of a report; the staff of a room remove others' messages there. Refuses with NotFound, RoomNotFound or Forbidden.
 */
export function removeMessage(tx: Transaction, actor: Actor, target: MessageTarget): Refusal | null {
  return target.type === 'roomMessage' ? removeRoomMessage(tx, actor, target) : removeDirectMessage(tx, actor, target)
}

function removeRoomMessage(tx: Transaction, actor: Actor, target: MessageTarget): Refusal | null {
  const row = findRowFor(tx, actor, target.id)
  if (!row) return refuse('NotFound')
  const refusal = findRemovalRefusal(tx, actor, row)
  if (refusal || row.isRemoved === 1) return refusal
  clearMessageRow(tx, target, actor.userId)
  removeMentions(tx, [row.id])
  const { roomId, id, audience, senderId } = row
  const narrowed = audience === null ? {} : { audience, actorId: senderId }
  tx.emit({ stream: roomStream(roomId), name: 'messageRemoved', payload: { roomId, id }, ...narrowed })
  recordOfMessage(tx, actor, 'messageRemoved', target, row)
  return null
}

/** Shows a removed message of a room again. Refuses as `removeMessage`, and with NotFound when its text is not kept any more. */
export function restoreMessage(tx: Transaction, actor: Actor, id: MessageId): Refusal | null {
  const target = { type: 'roomMessage', id } as const
  const row = findRowFor(tx, actor, id)
  const removed = tx.get(removedMessageById, { type: target.type, messageId: id })
  if (!row || !removed) return refuse('NotFound')
  const refusal = findRemovalRefusal(tx, actor, row)
  if (refusal) return refusal
  const remover = tx.get(userById, { id: removed.removedById })
  if (actor.role !== 'rootadmin' && remover?.role === 'rootadmin')
    return refuse('Forbidden', { message: CANNOT_RESTORE_OF_ROOT_ADMIN })
  fillMessageRow(tx, id, removed)
  const restored = roomMessages.find(tx, id)
  if (!restored) return refuse('NotFound')
  reindexMessage(tx, restored)
  emitRestored(tx, restored)
  recordOfMessage(tx, actor, 'messageRestored', target, restored)
  return null
}

/** The message if the actor may see it: those of ghost-banned users are there for root admins alone. */
function findRowFor(tx: Transaction, { role }: Actor, id: MessageId): MessageRow<'roomId'> | undefined {
  const row = roomMessages.find(tx, id)
  return row?.audience === null || role === 'rootadmin' ? row : undefined
}

/** As the message was sent: that of a ghost-banned user to root admins and its author. */
function emitRestored(tx: Transaction, row: MessageRow<'roomId'>): void {
  const { roomId, audience, senderId: actorId, replyToId } = row
  const message = toMessage(tx, PUBLIC_VIEWER, { ...row, replyToId: null })
  const found = replyToId === null ? null : roomMessages.findQuote(tx, { ...row, replyToId })
  const payload = found ? { ...message, replyTo: found.quote } : message
  tx.emit({
    stream: roomStream(roomId),
    name: 'messageRestored',
    payload,
    actorId,
    audience,
  })
}

/** Why the actor may not remove a message of a room, or restore it. */
function findRemovalRefusal(
  tx: Transaction,
  actor: Actor,
  { roomId, senderId }: { roomId: RoomId; senderId: UserId },
): Refusal | null {
  if (actor.role === 'rootadmin') return null
  const room = findManagedRoom(tx, actor, roomId)
  if (room instanceof Refusal) return room
  const sender = tx.get(userById, { id: senderId })
  const isOfStaff = sender?.role === 'rootadmin' || isRoomStaff(tx, senderId, room)
  return isOfStaff ? refuse('Forbidden', { message: CANNOT_REMOVE_OF_STAFF }) : null
}

function removeDirectMessage(tx: Transaction, actor: Actor, target: MessageTarget): Refusal | null {
  if (actor.role !== 'rootadmin') return refuse('Forbidden')
  const participants = findUsersOfMessage(tx, target.id)
  if (!participants) return refuse('NotFound')
  if (!clearMessageRow(tx, target, actor.userId)) return null
  emitMessageRemoved(tx, participants, target.id)
  recordOfMessage(tx, actor, 'messageRemoved', target, { senderId: participants.own.id })
  return null
}

/** The entry says whose message it was, and not what it said. */
function recordOfMessage(
  tx: Transaction,
  { userId: actorId }: Actor,
  kind: 'messageRemoved' | 'messageRestored',
  subject: MessageTarget,
  { senderId: targetUserId, roomId = null }: { senderId: UserId; roomId?: RoomId | null },
): void {
  recordAction(tx, { kind, actorId, targetUserId, roomId, subject })
}
