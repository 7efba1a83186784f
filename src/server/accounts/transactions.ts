import type { UserId } from '../../shared/protocol/ids.ts'
import { siteStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'
import { toUserSummary, userById } from './queries.ts'

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
