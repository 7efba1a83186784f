import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { findManagedRoom } from '../rooms/access.ts'
import type { TextDraft } from '../text-screening/transactions.ts'
import { findMute } from './queries.ts'

/** Why the actor may not mute in a room, or on the site (null): Forbidden, RoomNotFound or SessionEnded; else null. */
export function findMuterRefusal(
  reader: Pick<Reader, 'get'>,
  actor: Actor | null,
  roomId: RoomId | null,
): Refusal | null {
  if (!actor) return refuse('SessionEnded')
  if (roomId === null) return actor.role === 'rootadmin' ? null : refuse('Forbidden')
  const room = findManagedRoom(reader, actor, roomId)
  return room instanceof Refusal ? room : null
}

/**
 * Why a muted user may not submit a text; null where they may: everybody writes to root admins, and edits a profile; root
 * admins are never muted. Texts of rooms, such as greetings, are shown to all who enter, so they are refused as messages.
 */
export function findTextRefusal(
  tx: Pick<Transaction, 'cached'>,
  { sender, place }: Pick<TextDraft, 'sender' | 'place'>,
  now: number,
): Refusal | null {
  if (sender.role === 'rootadmin' || place.kind === 'profile' || place.kind === 'name') return null
  const roomId = place.kind === 'room' ? place.roomId : null
  const refusal = findMute(tx.cached, sender.id, roomId, now)
  if (!refusal || place.kind !== 'direct') return refusal
  return tx.cached.get(userById, { id: place.recipientId })?.role === 'rootadmin' ? null : refusal
}
