import type { NotificationTab, StoredNotificationType } from '../../../shared/notifications/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query, updateRow } from '../schema/query.ts'
import { NotificationCounts } from './counts.ts'

/** What a change of a row needs to know of it. */
export interface RowToChange {
  id: number
  tab: NotificationTab
  read: Flag
}

type RowKey = { recipientId: UserId; id: number }

const deleteRow = query<RowKey>()((db, p) =>
  db.deleteFrom('notification').where('recipientId', '=', p('recipientId')).where('id', '=', p('id')),
)
const deleteSenders = query<RowKey>()((db, p) =>
  db.deleteFrom('notificationSender').where('recipientId', '=', p('recipientId')).where('notificationId', '=', p('id')),
)
const setRowRead = updateRow('notification', ['recipientId', 'id'], [], { read: 1 })
const oldestReadRow = query<{ recipientId: UserId; tab: NotificationTab }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('recipientId', '=', p('recipientId'))
    .where('tab', '=', p('tab'))
    .where('read', '=', 1)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1),
)
/** The oldest row of the sender who has the most rows in the tab. */
const oldestOfBusiest = query<{ recipientId: UserId; tab: NotificationTab }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('recipientId', '=', p('recipientId'))
    .where('tab', '=', p('tab'))
    .where('senderId', '=', (eb) =>
      eb
        .selectFrom('notification as some')
        .select('some.senderId')
        .where('some.recipientId', '=', p('recipientId'))
        .where('some.tab', '=', p('tab'))
        .groupBy('some.senderId')
        .orderBy((by) => by.fn.countAll(), 'desc')
        .orderBy((by) => by.fn.min('some.createdAt'))
        .orderBy((by) => by.fn.min('some.id'))
        .limit(1),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1),
)

/** Deletes rows of one user and counts them off. */
export function deleteRows(
  tx: Transaction,
  recipientId: UserId,
  rows: readonly RowToChange[],
  counts = new NotificationCounts(tx, recipientId),
): NotificationCounts {
  for (const { id } of rows) {
    tx.run(deleteRow, { recipientId, id })
    tx.run(deleteSenders, { recipientId, id })
  }
  for (const [tab, ofTab] of Map.groupBy(rows, (row) => row.tab))
    counts.change(tx, tab, { total: -ofTab.length, unread: -ofTab.filter(({ read }) => read === 0).length })
  return counts
}

/** Marks unread rows of one user as read and counts them off. A read row gathers no more senders. */
export function markRowsRead(
  tx: Transaction,
  recipientId: UserId,
  rows: readonly RowToChange[],
  counts = new NotificationCounts(tx, recipientId),
): NotificationCounts {
  for (const { id } of rows) {
    tx.run(setRowRead, { recipientId, id })
    tx.run(deleteSenders, { recipientId, id })
  }
  for (const [tab, ofTab] of Map.groupBy(rows, (row) => row.tab))
    counts.change(tx, tab, { total: 0, unread: -ofTab.length })
  return counts
}

/**
 * Deletes the oldest read row of a tab. When all are unread, it deletes the oldest row of the sender with the most rows, so
 * that a flood displaces only its own. Returns the id.
 */
export function deleteOldest(
  tx: Transaction,
  recipientId: UserId,
  tab: NotificationTab,
  counts: NotificationCounts,
): number | null {
  const row = tx.get(oldestReadRow, { recipientId, tab }) ?? tx.get(oldestOfBusiest, { recipientId, tab })
  if (!row) return null
  deleteRows(tx, recipientId, [row], counts)
  return row.id
}

/** The value by which unread rows of a type are one; null where each thing has its own row. */
export function groupOf(type: StoredNotificationType, postId: number | null): number | null {
  if (type === 'follower') return 0
  return type === 'like' || type === 'comment' ? postId : null
}
