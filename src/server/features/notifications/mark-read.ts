import type { NotificationTab } from '../../../shared/notifications/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { clearTab } from '../../model/notifications/clear-tab.ts'
import { deleteRows, markRowsRead } from '../../model/notifications/rows.ts'
import { query } from '../../model/schema/query.ts'

const rowById = query<{ recipientId: UserId; id: number }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('recipientId', '=', p('recipientId'))
    .where('id', '=', p('id')),
)

/** Marks one of the actor's notifications as read, or removes it. What is done already is not sent again. */
export const markNotificationRead = defineCommand({
  name: 'markNotificationRead',
  keepResult: 'never',
  run(
    tx: Transaction,
    actor: Actor | null,
    { notificationId, isRemoved }: { notificationId: number; isRemoved: boolean },
  ): { success: true } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const row = tx.get(rowById, { recipientId: actor.userId, id: notificationId })
    if (!row || (row.read === 1 && !isRemoved)) return { success: true }
    const change = isRemoved ? deleteRows : markRowsRead
    const unread = change(tx, actor.userId, [row]).unread()
    const payload = { notificationIds: [notificationId], isRemoved, unread }
    tx.emit({ stream: userStream(actor.userId), name: 'notificationsRead', payload })
    return { success: true }
  },
})

/** Marks the actor's notifications of a tab up to a time as read, or removes them. */
export const markTabRead = defineCommand({
  name: 'markTabRead',
  keepResult: 'never',
  run(
    tx: Transaction,
    actor: Actor | null,
    input: { tab: NotificationTab; upTo: number; isRemoved: boolean },
  ): { success: true } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    clearTab(tx, actor.userId, input)
    return { success: true }
  },
})
