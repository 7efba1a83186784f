import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { nameSkeleton } from '../../../shared/text/name-skeleton.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { isNameFree, userById } from '../accounts/queries.ts'
import { updateRow } from '../schema/query.ts'
import { screenText } from '../text-screening/transactions.ts'
import { listLookAlikes } from './queries.ts'

const setOfUser = updateRow('user', ['id'], ['skeleton'])
const setOfRoom = updateRow('room', ['id'], ['skeleton'])

export function storeUserSkeleton(tx: Transaction, id: UserId, username: string): void {
  tx.run(setOfUser, { id, skeleton: nameSkeleton(username) })
}

export function storeRoomSkeleton(tx: Transaction, id: RoomId, name: string): void {
  tx.run(setOfRoom, { id, skeleton: nameSkeleton(name) })
}

/**
 * Submits the new name of a stored user, which may not look like another held name. The caller answers with the refusal, if
 * any, and nothing of the command stays. The row comes first, because what the filter matched is logged with its user.
 */
export function submitName(tx: Transaction, id: UserId): Refusal | null {
  const sender = tx.get(userById, { id })
  if (!sender) return null
  const { username: text } = sender
  const taken = takeName(tx, id, text)
  if (taken) return taken
  const submitted = screenText(tx, { sender, place: { kind: 'name' }, text, maxLength: text.length })
  return submitted instanceof Refusal ? submitted : null
}

/** Stores the skeleton of a user's name; refuses a name that looks like another held name. */
export function takeName(tx: Transaction, id: UserId, name: string): Refusal | null {
  if (listLookAlikes(tx, name, id).some((holder) => !isNameFree(holder, false, tx.now))) return refuse('UsernameTaken')
  storeUserSkeleton(tx, id, name)
  return null
}
