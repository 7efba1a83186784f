import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { siteStream } from '../../kernel/database/streams.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { listLookAlikes } from '../name-skeletons/queries.ts'
import { storeUserSkeleton } from '../name-skeletons/transactions.ts'
import { query } from '../schema/query.ts'
import { submitText } from '../text-submission/transactions.ts'
import { isNameFree, toUserSummary, type UserRow, userById } from './queries.ts'

/** What a member writes and shows of themselves, beside the name. */
export type ProfileContents = Pick<UserRow, 'bio' | 'city' | 'avatarUrl' | 'largeAvatarUrl'>

const setContents = query<ProfileContents & { id: UserId }>()((db, p) =>
  db
    .updateTable('user')
    .set({ bio: p('bio'), city: p('city'), avatarUrl: p('avatarUrl'), largeAvatarUrl: p('largeAvatarUrl') })
    .where('id', '=', p('id')),
)

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
  const submitted = submitText(tx, { sender, place: { kind: 'name' }, text, maxLength: text.length })
  return submitted instanceof Refusal ? submitted : null
}

/** Stores the skeleton of a user's name; refuses a name that looks like another held name. */
export function takeName(tx: Transaction, id: UserId, name: string): Refusal | null {
  if (listLookAlikes(tx, name, id).some((holder) => !isNameFree(holder, false, tx.now))) return refuse('UsernameTaken')
  storeUserSkeleton(tx, id, name)
  return null
}

/** Sets what a profile shows for a root admin, and tells everyone who is shown the user. */
export function setProfileContents(tx: Transaction, id: UserId, contents: ProfileContents): void {
  tx.run(setContents, { id, ...contents })
  emitProfileUpdated(tx, id)
}

/**
 * Sends everyone the user's summary as the row has it now; every region updates presence by it (presence.ts, `renew`).
 * The user counts as its actor, so that only root admins get that of a ghost-banned user.
 */
export function emitProfileUpdated(tx: Transaction, userId: UserId): void {
  const user = tx.get(userById, { id: userId })
  if (!user) return
  const payload = { user: toUserSummary(user, tx.now) }
  tx.emit({ stream: siteStream, name: 'userProfileUpdated', payload, actorId: userId })
}
