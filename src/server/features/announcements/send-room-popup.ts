import { ROOM_POPUP_INTERVAL_MS } from '../../../shared/announcements/limits.ts'
import { POPUP_TOO_SOON_TEXT } from '../../../shared/announcements/texts.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { lastPopupOfRoom } from '../../model/announcements/queries.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { query } from '../../model/schema/query.ts'
import { screenText } from '../../model/text-screening/transactions.ts'
import { popupPayload, recordPopup } from './send-popup.ts'

export interface SendRoomPopup {
  roomId: RoomId
  /** Sanitised HTML. */
  message: string
  /** The name of its picture below `/uploads/`. */
  picture: string | null
}

const upsertPopup = query<{ roomId: RoomId; sentAt: number; picture: string | null }>()((db, p) =>
  db
    .insertInto('roomPopup')
    .values({ roomId: p('roomId'), sentAt: p('sentAt'), picture: p('picture') })
    .onConflict((conflict) => conflict.column('roomId').doUpdateSet({ sentAt: p('sentAt'), picture: p('picture') })),
)

/** Sends a popup to the users of a room, at most one a minute. Refuses with RoomNotFound, Forbidden or RateLimited. */
export const sendRoomPopup = defineCommand({
  name: 'sendRoomPopup',
  run(tx: Transaction, actor: Actor, { roomId, message, picture }: SendRoomPopup): { success: true } | Refusal {
    const room = findManagedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    const sender = tx.get(userById, { id: actor.userId })
    if (!sender) return refuse('SessionEnded')
    const sinceMs = tx.now - (tx.get(lastPopupOfRoom, { roomId })?.sentAt ?? Number.NEGATIVE_INFINITY)
    // A clock that was set back makes no wait longer than the interval.
    if (Math.abs(sinceMs) < ROOM_POPUP_INTERVAL_MS) {
      const waitMs = ROOM_POPUP_INTERVAL_MS - Math.max(sinceMs, 0)
      return refuse('RateLimited', { message: POPUP_TOO_SOON_TEXT, waitMs })
    }
    const refusal = checkPopupText(tx, sender, message)
    if (refusal) return refusal
    tx.run(upsertPopup, { roomId, sentAt: tx.now, picture })
    const imagePath = picture === null ? null : `/uploads/${picture}`
    const payload = { ...popupPayload(sender, { message, imagePath }), roomId }
    tx.emit({ stream: roomStream(roomId), name: 'popupNotification', payload, actorId: sender.id })
    recordPopup(tx, { senderId: sender.id, roomId, message })
    return { success: true }
  },
})

/** Markup cannot be changed word by word, so a popup with a text that would be replaced is refused. */
function checkPopupText(tx: Transaction, sender: UserRow, html: string): Refusal | null {
  const text = html.replace(/<a href="([^"]*)">/g, ' $1 ').replace(/<[^>]*>/g, ' ')
  const submitted = screenText(tx, { sender, place: { kind: 'roomText' }, text, maxLength: text.length })
  if (submitted instanceof Refusal) return submitted
  return submitted === text ? null : refuse('TextRefused')
}
