import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Notifications, the senders that an unread one counts, and the counts of each tab. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // id: counted by recipient, so that it tells nothing of others. groupId: unread ones of a type with the same value
    // are one row. requestId: see src/shared/notifications/notification.ts. The text of a mention is its message's.
    sql`create table notification (
      recipientId integer not null references user (id),
      id integer not null,
      tab text not null,
      type text not null,
      senderId integer not null references user (id),
      senderCount integer not null,
      groupId integer,
      requestId integer,
      read integer not null check (read in (0, 1)),
      content text not null,
      roomId integer,
      messageId integer,
      postId integer,
      createdAt integer not null,
      primary key (recipientId, id)
    ) strict, without rowid`.compile(db),
    sql`create index notificationByTab on notification (recipientId, tab, createdAt, id)`.compile(db),
    sql`create index notificationRead on notification (recipientId, tab, createdAt, id) where read = 1`.compile(db),
    sql`create index notificationByAge on notification (createdAt)
      where tab not in ('follow', 'withdrawalRequest', 'starRequest')`.compile(db),
    sql`create index notificationByGroup on notification (recipientId, type, groupId)
      where groupId is not null and read = 0`.compile(db),
    sql`create index notificationByRequest on notification (type, requestId, recipientId)
      where requestId is not null`.compile(db),
    sql`create index notificationByMessage on notification (messageId) where messageId is not null`.compile(db),
    sql`create index notificationByPost on notification (postId) where postId is not null`.compile(db),
    sql`create table notificationSender (
      recipientId integer not null,
      notificationId integer not null,
      senderId integer not null,
      at integer not null,
      primary key (recipientId, notificationId, senderId)
    ) strict, without rowid`.compile(db),
    sql`create index userByRootAdmin on user (id) where role = 'rootadmin'`.compile(db),
    // lastId: of the user's latest notification in this tab, also after its removal.
    sql`create table notificationCount (
      userId integer not null references user (id),
      tab text not null,
      total integer not null check (total >= 0),
      unread integer not null check (unread >= 0),
      lastId integer not null,
      primary key (userId, tab)
    ) strict, without rowid`.compile(db),
  ],
}
