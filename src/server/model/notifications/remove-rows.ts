import type { UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { deleteRows, type RowToChange } from './rows.ts'

/** Deletes notifications of one user and notifies the user's connections. */
export function removeRows(tx: Transaction, recipientId: UserId, rows: readonly RowToChange[]): void {
  if (rows.length === 0) return
  const unread = deleteRows(tx, recipientId, rows).unread()
  const payload = { notificationIds: rows.map(({ id }) => id), isRemoved: true, unread }
  tx.emit({ stream: userStream(recipientId), name: 'notificationsRead', payload })
}

/** Deletes notifications of several users. */
export function removeFromAll(tx: Transaction, rows: readonly (RowToChange & { recipientId: UserId })[]): void {
  for (const [recipientId, own] of Map.groupBy(rows, (row) => row.recipientId)) removeRows(tx, recipientId, own)
}
