import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { REPORT_ABOUT_SELF_TEXT, REPORT_NOT_FOUND_TEXT } from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { emitReportsChanged } from '../../model/reports/groups.ts'
import { query } from '../../model/schema/query.ts'

const openGroup = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('reportGroup')
    .select(['openCount', 'assigneeId'])
    .where('userId', '=', p('userId'))
    .where('openCount', '>', 0),
)
const setAssignee = query<{ userId: UserId; assigneeId: UserId | null; at: number | null }>()((db, p) =>
  db
    .updateTable('reportGroup')
    .set({ assigneeId: p('assigneeId'), assignedAt: p('at') })
    .where('userId', '=', p('userId')),
)

/**
 * The actor takes on the open reports of a user, also from another root admin, or lays them down. Only root admins; refuses
 * with Forbidden for reports about the actor, and with NotFound when there are no open ones.
 */
export const assignReports = defineCommand({
  name: 'assignReports',
  run(
    tx: Transaction,
    actor: Actor | null,
    { userId, isAssigned }: { userId: UserId; isAssigned: boolean },
  ): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    if (userId === actor.userId) return refuse('Forbidden', { message: REPORT_ABOUT_SELF_TEXT })
    const group = tx.get(openGroup, { userId })
    if (!group) return refuse('NotFound', { message: REPORT_NOT_FOUND_TEXT })
    const assigneeId = isAssigned ? actor.userId : null
    if (group.assigneeId === assigneeId) return { success: true }
    tx.run(setAssignee, { userId, assigneeId, at: isAssigned ? tx.now : null })
    recordAction(tx, {
      kind: isAssigned ? 'reportsAssigned' : 'reportsUnassigned',
      actorId: actor.userId,
      targetUserId: userId,
      details: { isTakeover: group.assigneeId !== null && group.assigneeId !== actor.userId },
    })
    emitReportsChanged(tx, userId, group.openCount)
    return { success: true }
  },
})
