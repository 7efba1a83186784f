import type { NotificationTab } from '../../../shared/notifications/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { NotificationCounts } from './counts.ts'
import { deleteRows, markRowsRead } from './rows.ts'

const rowsUpTo = query<{ recipientId: UserId; tab: NotificationTab; upTo: number }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('recipientId', '=', p('recipientId'))
    .where('tab', '=', p('tab'))
    .where('createdAt', '<=', p('upTo')),
)

export interface ClearTab {
  tab: NotificationTab
  /** Later notifications stay as they are. */
  upTo: number
  /** Whether they are deleted, and not only marked as read. */
  isRemoved: boolean
}

/** Marks the notifications of a tab as read, or deletes them, and notifies the user's connections if any has changed. */
export function clearTab(tx: Transaction, userId: UserId, { tab, upTo, isRemoved }: ClearTab): void {
  const found = tx.all(rowsUpTo, { recipientId: userId, tab, upTo })
  const rows = isRemoved ? found : found.filter(({ read }) => read === 0)
  if (rows.length === 0) return
  const counts = new NotificationCounts(tx, userId)
  if (isRemoved) deleteRows(tx, userId, rows, counts)
  else markRowsRead(tx, userId, rows, counts)
  const payload = { tab, upTo, isRemoved, unread: counts.unread() }
  tx.emit({ stream: userStream(userId), name: 'notificationTabRead', payload })
}
