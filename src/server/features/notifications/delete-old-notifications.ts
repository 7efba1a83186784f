import { sql } from 'kysely'
import { NOTIFICATION_RETENTION_MS } from '../../../shared/notifications/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { removeFromAll } from '../../model/notifications/remove-rows.ts'
import { query } from '../../model/schema/query.ts'

/** Notifications deleted by one step, each of which may be sent to a user. */
const STEP_ROWS = 200

const oldRows = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['recipientId', 'id', 'tab', 'read'])
    .where('createdAt', '<', p('before'))
    // As in the condition of the index `notificationByAge`.
    .where(sql<boolean>`tab not in ('follow', 'withdrawalRequest', 'starRequest')`)
    .orderBy('createdAt')
    .limit(p('limit')),
)

/** One step of deleting notifications that are older than 90 days. Requests wait for their answer. */
export const deleteOldNotifications = defineCommand({
  name: 'deleteOldNotifications',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const rows = tx.all(oldRows, { before: tx.now - NOTIFICATION_RETENTION_MS, limit: STEP_ROWS })
    removeFromAll(tx, rows)
    return { removed: rows.length }
  },
})
