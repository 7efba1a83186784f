import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { roomById } from '../../model/rooms/queries.ts'

export interface SendPopup {
  /** Sanitised HTML. */
  message: string
  imagePath: string | null
  /** null sends it to everyone. */
  roomId: RoomId | null
}

/** Sends a popup to everyone or to the users of one room. Refuses with Forbidden or RoomNotFound. */
export const sendPopup = defineCommand({
  name: 'sendPopup',
  run(tx: Transaction, actor: Actor, { message, imagePath, roomId }: SendPopup): { success: true } | Refusal {
    const sender = tx.get(userById, { id: actor.userId })
    if (sender?.role !== 'rootadmin') return refuse('Forbidden')
    if (roomId !== null && tx.get(roomById, { id: roomId })?.isActive !== 1) return refuse('RoomNotFound')
    tx.emit({
      stream: roomId === null ? siteStream : roomStream(roomId),
      name: 'popupNotification',
      payload: { ...popupPayload(sender, { message, imagePath }), ...(roomId !== null && { roomId }) },
      actorId: sender.id,
    })
    recordPopup(tx, { senderId: sender.id, roomId, message })
    return { success: true }
  },
})

/** Records a popup with its text, without tags. */
export function recordPopup(
  tx: Transaction,
  { senderId: actorId, roomId, message }: { senderId: UserId; roomId: RoomId | null; message: string },
): void {
  const text = message
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .trim()
  recordAction(tx, { kind: roomId === null ? 'sitePopupSent' : 'roomPopupSent', actorId, roomId, details: { text } })
}

/** Those that the sanitiser writes. */
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** A popup of this sender, as everyone or a room gets it. */
export function popupPayload(sender: UserRow, { message, imagePath }: Pick<SendPopup, 'message' | 'imagePath'>) {
  return {
    message,
    senderUsername: sender.username,
    senderId: sender.id,
    senderAvatarUrl: sender.avatarUrl,
    senderGender: sender.gender,
    imagePath,
  }
}
