import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { isNameFree, userByFoldedName } from '../../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { insertRow, updateRow } from '../../../model/schema/query.ts'
import { closeAllSessions, releaseGuestName } from '../../../model/sessions/transactions.ts'

export interface MakeRootAdmin {
  username: string
  passwordHash: string
}

const insertRootAdmin = insertRow('user', ['username', 'foldedName', 'passwordHash', 'createdAt', 'lastSeenAt'], {
  isGuest: 0,
  role: 'rootadmin',
  gender: null,
  avatarUrl: null,
  lastLoginPlatform: 'web',
  premiumUntil: null,
  nameReleasedAt: null,
})
const promoteToRootAdmin = updateRow('user', ['id'], ['passwordHash'], { role: 'rootadmin' })

/**
 * Promotes a member to root admin, or creates a root admin, with this password. Only the command line of the server runs
 * it; no route does. A promoted member's sessions end, because a session carries its role. Refuses with UsernameTaken
 * while a guest's claim on the name holds.
 */
export const makeRootAdmin = defineCommand({
  name: 'makeRootAdmin',
  origin: 'primary',
  run(
    tx: Transaction,
    _actor: Actor | null,
    { username, passwordHash }: MakeRootAdmin,
  ): { userId: UserId; username: string; isNew: boolean } | Refusal {
    const foldedName = foldName(username)
    const holder = tx.get(userByFoldedName, { foldedName })
    if (holder?.isGuest === 0) {
      tx.run(promoteToRootAdmin, { id: holder.id, passwordHash })
      emitProfileUpdated(tx, holder.id)
      closeAllSessions(tx, holder.id, sessionEndMessages.becameRootAdmin)
      recordAction(tx, { kind: 'rootAdminGranted', actorId: null, targetUserId: holder.id })
      return { userId: holder.id, username: holder.username, isNew: false }
    }
    if (holder && !isNameFree(holder, false, tx.now)) return refuse('UsernameTaken')
    if (holder) releaseGuestName(tx, holder.id)
    const { lastId: userId } = tx.run(insertRootAdmin, {
      username,
      foldedName,
      passwordHash,
      createdAt: tx.now,
      lastSeenAt: tx.now,
    })
    recordAction(tx, { kind: 'rootAdminGranted', actorId: null, targetUserId: userId })
    return { userId, username, isNew: true }
  },
})
