import type { UserId } from '../../../shared/protocol/ids.ts'
import { siteStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { updateRow } from '../schema/query.ts'
import { toUserSummary, type UserRow, userById } from './queries.ts'

/** What a member writes and shows of themselves, beside the name. */
export type ProfileContents = Pick<UserRow, 'bio' | 'city' | 'avatarUrl' | 'largeAvatarUrl'>

const setContents = updateRow('user', ['id'], ['bio', 'city', 'avatarUrl', 'largeAvatarUrl'])

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
