import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { findRestriction } from '../restrictions/queries.ts'
import type { TextDraft } from '../text-screening/transactions.ts'

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
  const refusal = findRestriction(tx.cached, { kind: 'mute', userId: sender.id, roomId }, now)
  if (!refusal || place.kind !== 'direct') return refusal
  return tx.cached.get(userById, { id: place.recipientId })?.role === 'rootadmin' ? null : refusal
}
