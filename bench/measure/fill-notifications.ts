import type Sqlite from 'better-sqlite3'
import type { UserId } from '../../src/shared/protocol/ids.ts'

/** Unread mentions of a user by one other. They have no messages, as after a removal. */
export interface NotificationFill {
  recipientId: UserId
  senderId: UserId
  count: number
}

export function fillNotifications(db: Sqlite.Database, { recipientId, senderId, count }: NotificationFill): void {
  const since = Date.now() - count
  db.transaction(() => {
    db.prepare(
      `insert into notification
       with recursive number (n) as (select 1 union all select n + 1 from number where n < @count)
       select @recipientId, n, 'mention', 'mention', @senderId, 1, null, null, 0, '', 1, 1, null, @since + n from number`,
    ).run({ recipientId, senderId, count, since })
    db.prepare("insert or replace into notificationCount values (?, 'mention', ?, ?, ?)").run(
      recipientId,
      count,
      count,
      count,
    )
  })()
}
