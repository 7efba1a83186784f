import type { HeldTextId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { HELD_TEXT_GONE_TEXT, HELD_TEXT_UNSENDABLE_TEXT } from '../../../shared/text-filters/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { findSentMessage, sendToRoom } from '../../model/conversations/send-to-room.ts'
import { findSentDirectMessage, sendToUser } from '../../model/conversations/send-to-user.ts'
import { addComment } from '../../model/posts/add-comment.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { query, updateRow } from '../../model/schema/query.ts'
import { type HeldTextRow, heldTextById } from '../../model/text-filters/queries.ts'
import { emitHeldTextsChanged } from './held-texts.ts'

const setReleasedAt = updateRow('heldText', ['id'], ['releasedAt'])
const deleteHeldText = query<{ id: HeldTextId }>()((db, p) => db.deleteFrom('heldText').where('id', '=', p('id')))

/** Longer than every wait after entering a room. */
const LONG_IN_ROOM_MS = 60 * 60_000

interface DecideHeldText {
  id: HeldTextId
  decision: 'release' | 'discard'
}

/**
 * Sends a text that waits for review, as its author and as of now, or deletes it. Only root admins; refuses with Forbidden,
 * NotFound, or as sending it is refused: then it goes on waiting.
 */
export const decideHeldText = defineCommand({
  name: 'decideHeldText',
  run(tx: Transaction, actor: Actor | null, { id, decision }: DecideHeldText): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const held = tx.get(heldTextById, { id })
    if (!held) return refuse('NotFound', { message: HELD_TEXT_GONE_TEXT })
    if (decision === 'release') {
      tx.run(setReleasedAt, { id, releasedAt: tx.now })
      const refusal = sendHeldText(tx, held)
      if (refusal) return refusal
    }
    tx.run(deleteHeldText, { id })
    recordAction(tx, {
      kind: decision === 'release' ? 'heldTextReleased' : 'heldTextDiscarded',
      actorId: actor.userId,
      targetUserId: held.userId,
      roomId: held.placeKind === 'room' ? held.placeId : null,
      subject: { type: 'heldText', id },
      details: { pattern: held.pattern },
    })
    emitHeldTextsChanged(tx)
    return { success: true }
  },
})

/**
 * Records that a root admin reads the text of a direct message that waits, which the route reads afterwards. Each read is
 * an entry of its own, so there is no retry by key. Refuses with Forbidden or NotFound.
 */
export const readHeldText = defineCommand({
  name: 'readHeldText',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, { id }: { id: HeldTextId }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const held = tx.get(heldTextById, { id })
    if (!held) return refuse('NotFound', { message: HELD_TEXT_GONE_TEXT })
    recordAction(tx, {
      kind: 'heldTextRead',
      actorId: actor.userId,
      targetUserId: held.userId,
      subject: { type: 'heldText', id },
      details: { pattern: held.pattern },
    })
    return { success: true }
  },
})

/** Runs the command of the text as its author: what it would refuse now is refused. */
function sendHeldText(tx: Transaction, held: HeldTextRow): Refusal | null {
  const sender = tx.get(userById, { id: held.userId })
  if (
    !sender ||
    sender.nameReleasedAt !== null ||
    getActiveRestriction(tx, { kind: 'siteBan', userId: held.userId }, tx.now)
  )
    return refuse('NotFound', { message: HELD_TEXT_UNSENDABLE_TEXT })
  const outcome = runCommand(tx, held, sender)
  return outcome instanceof Refusal ? outcome : null
}

/** A retry of a message may have been stored since the filter was changed: then it is sent already. */
function runCommand(tx: Transaction, held: HeldTextRow, sender: UserRow): object | Refusal {
  const { placeId, text: content, mediaId, replyToId } = held
  const actor: Actor = { userId: sender.id, sessionId: 0, role: sender.role }
  if (held.placeKind === 'comment') return addComment(tx, actor, { postId: placeId, content })
  const clientId = held.clientId ?? ''
  const key = { userId: sender.id, clientId }
  const draft = { content, mediaId, replyToId, clientId }
  if (held.placeKind === 'direct')
    return findSentDirectMessage(tx, key) ?? sendToUser(tx, actor, { ...draft, recipientId: placeId })
  const message = { ...draft, roomId: placeId, inRoomForMs: LONG_IN_ROOM_MS }
  return findSentMessage(tx, key) ?? sendToRoom(tx, actor, message)
}
