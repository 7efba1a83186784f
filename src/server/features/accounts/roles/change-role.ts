import { type Role, USER_NOT_FOUND_TEXT } from '../../../../shared/accounts/protocol.ts'
import { rootAdminTabs } from '../../../../shared/notifications/rules.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { findUserByName, sessionById, sessionsOfUser } from '../../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { clearNotificationTabs } from '../../../model/notifications/transactions.ts'
import { getActiveRestriction } from '../../../model/restrictions/queries.ts'
import { liftRestrictionsOf } from '../../../model/restrictions/transactions.ts'
import { updateRow } from '../../../model/schema/query.ts'
import { replaceSession } from '../../../model/sessions/transactions.ts'

const setRole = updateRow('user', ['id'], ['role'])

/** The target of a role change and its role before, which may equal the new one. */
export interface RoleChangeResult {
  targetId: UserId
  previousRole: Role
}

/**
 * Makes a member a root admin, or a root admin a member. Their sessions get other ids and keys. The actor's role is read from the
 * row in this transaction (writer.ts) and the actor is never the target: of two root admins who demote each other, the
 * second is refused, so one always remains.
 */
export const changeRole = defineCommand({
  name: 'changeRole',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { username, role }: { username: string; role: 'member' | 'rootadmin' },
  ): RoleChangeResult | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const target = findUserByName(tx, username)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    if (target.id === actor.userId) return refuse('Forbidden', { message: 'Kendi yetkini değiştiremezsin.' })
    if (target.isGuest === 1)
      return refuse('Forbidden', { message: 'Misafirlere yetki verilemez, önce üye olmalılar.' })
    const change = { targetId: target.id, previousRole: target.role }
    if (target.role === role) return change
    if (
      role === 'rootadmin' &&
      (target.isGhost === 1 || getActiveRestriction(tx, { kind: 'siteBan', userId: target.id }, tx.now))
    ) {
      return refuse('Forbidden', { message: 'Yasaklı bir kullanıcıya yetki verilemez.' })
    }
    tx.run(setRole, { id: target.id, role })
    if (role === 'rootadmin') liftRestrictionsOf(tx, actor, target.id, { kinds: ['mute'] })
    if (role === 'member') clearNotificationTabs(tx, target.id, rootAdminTabs)
    // First: the own pages follow the new role when they have new tokens.
    for (const { id } of tx.all(sessionsOfUser, { userId: target.id })) {
      const session = tx.get(sessionById, { id })
      if (session) replaceSession(tx, session, { isRenewable: true })
    }
    // The profile event comes next: by it each region moves the user's connections between streams (presence.ts, `renew`).
    emitProfileUpdated(tx, target.id)
    const payload = { username: target.username, role }
    tx.emit({ stream: siteStream, name: 'userRoleUpdated', payload, actorId: actor.userId })
    const kind = role === 'rootadmin' ? 'rootAdminGranted' : 'rootAdminRevoked'
    recordAction(tx, { kind, actorId: actor.userId, targetUserId: target.id })
    return change
  },
})
