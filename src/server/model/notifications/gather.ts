import type { Selectable } from 'kysely'
import { MAX_GATHERED_SENDERS } from '../../../shared/notifications/limits.ts'
import type { StoredNotificationType } from '../../../shared/notifications/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { insertRow, query, type Tables, updateRow } from '../schema/query.ts'

export type NotificationRow = Selectable<Tables['notification']>
type SenderKey = { recipientId: UserId; notificationId: number; senderId: UserId }

const unreadGroup = query<{ recipientId: UserId; type: StoredNotificationType; groupId: number }>()((db, p) =>
  db
    .selectFrom('notification')
    .selectAll()
    .where('recipientId', '=', p('recipientId'))
    .where('type', '=', p('type'))
    .where('groupId', '=', p('groupId'))
    .where('groupId', 'is not', null)
    .where('read', '=', 0),
)
const senderOf = query<SenderKey>()((db, p) =>
  db
    .selectFrom('notificationSender')
    .select('senderId')
    .where('recipientId', '=', p('recipientId'))
    .where('notificationId', '=', p('notificationId'))
    .where('senderId', '=', p('senderId')),
)
const sendersByTime = (direction: 'asc' | 'desc') =>
  query<{ recipientId: UserId; notificationId: number }>()((db, p) =>
    db
      .selectFrom('notificationSender')
      .select('senderId')
      .where('recipientId', '=', p('recipientId'))
      .where('notificationId', '=', p('notificationId'))
      .orderBy('at', direction)
      .orderBy('senderId', direction)
      .limit(1),
  )
const earliestSender = sendersByTime('asc')
const latestSender = sendersByTime('desc')
const insertSender = insertRow('notificationSender', ['recipientId', 'notificationId', 'senderId', 'at'])
const deleteSender = query<SenderKey>()((db, p) =>
  db
    .deleteFrom('notificationSender')
    .where('recipientId', '=', p('recipientId'))
    .where('notificationId', '=', p('notificationId'))
    .where('senderId', '=', p('senderId')),
)
const updateGroup = updateRow('notification', ['recipientId', 'id'], ['senderId', 'senderCount', 'createdAt'])

/** The unread notification that gathers this type for the same thing. */
export function findUnreadGroup(
  tx: Transaction,
  recipientId: UserId,
  type: StoredNotificationType,
  groupId: number | null,
): NotificationRow | undefined {
  return groupId === null ? undefined : tx.get(unreadGroup, { recipientId, type, groupId })
}

/** Counts the first sender of a new row. */
export function startGroup(tx: Transaction, { recipientId, id, senderId }: NotificationRow): void {
  tx.run(insertSender, { recipientId, notificationId: id, senderId, at: tx.now })
}

/** Counts one more sender and moves the row to the front; null when this one is counted already. */
export function addToGroup(tx: Transaction, row: NotificationRow, senderId: UserId): NotificationRow | null {
  const key = { recipientId: row.recipientId, notificationId: row.id }
  if (tx.get(senderOf, { ...key, senderId })) return null
  const isFull = row.senderCount >= MAX_GATHERED_SENDERS
  const earliest = isFull ? tx.get(earliestSender, key) : undefined
  if (earliest) tx.run(deleteSender, { ...key, senderId: earliest.senderId })
  tx.run(insertSender, { ...key, senderId, at: tx.now })
  return storeGroup(tx, { ...row, senderId, senderCount: row.senderCount + (earliest ? 0 : 1), createdAt: tx.now })
}

/** Counts a sender off: the changed row, `empty` when nobody is left, or null when this one was not counted. */
export function takeFromGroup(
  tx: Transaction,
  row: NotificationRow,
  senderId: UserId,
): NotificationRow | 'empty' | null {
  const key = { recipientId: row.recipientId, notificationId: row.id }
  if (tx.run(deleteSender, { ...key, senderId }).changes === 0) return null
  const latest = tx.get(latestSender, key)
  if (!latest) return 'empty'
  return storeGroup(tx, { ...row, senderId: latest.senderId, senderCount: row.senderCount - 1 })
}

function storeGroup(tx: Transaction, row: NotificationRow): NotificationRow {
  const { recipientId, id, senderId, senderCount, createdAt } = row
  tx.run(updateGroup, { recipientId, id, senderId, senderCount, createdAt })
  return row
}
