import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Conversations of two users, their messages and media, and reports. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // purgeUpToId: both users have deleted the messages up to here, and a job removes them.
    // The two users in the order of their ids, so that a pair has one conversation.
    sql`create table conversation (
      id integer primary key,
      lowUserId integer not null references user (id),
      highUserId integer not null references user (id),
      createdById integer not null references user (id),
      createdAt integer not null,
      purgeUpToId integer,
      check (lowUserId < highUserId)
    ) strict`.compile(db),
    sql`create index conversationToPurge on conversation (id) where purgeUpToId is not null`.compile(db),
    sql`create unique index conversationByUsers on conversation (lowUserId, highUserId)`.compile(db),
    sql`create index conversationByCreator on conversation (createdById, createdAt)`.compile(db),
    // A user's side of a conversation. lastMessageId: of the last message that the user sees in the list; null while
    // it is hidden. Messages up to deletedUpToId are deleted for this user.
    sql`create table conversationSide (
      userId integer not null references user (id),
      conversationId integer not null references conversation (id),
      otherUserId integer not null references user (id),
      lastMessageId integer,
      lastReadId integer not null,
      unreadCount integer not null check (unreadCount >= 0),
      deletedUpToId integer not null,
      hasWritten integer not null check (hasWritten in (0, 1)),
      allowsMedia integer not null check (allowsMedia in (0, 1)),
      primary key (userId, conversationId)
    ) strict, without rowid`.compile(db),
    sql`create index conversationSideByLastMessage on conversationSide (userId, lastMessageId)
      where lastMessageId is not null`.compile(db),
    sql`create index conversationSideUnread on conversationSide (userId, unreadCount) where unreadCount > 0`.compile(
      db,
    ),
    sql`create table directMedia (
      id integer primary key,
      ownerId integer not null references user (id),
      mediaType text not null check (mediaType in ('image', 'video', 'audio')),
      originalPath text not null,
      thumbnailPath text,
      sizeBytes integer not null,
      width integer,
      height integer,
      durationMs integer,
      blur text,
      waveform text,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index directMediaByOriginal on directMedia (originalPath)`.compile(db),
    sql`create index directMediaByThumbnail on directMedia (thumbnailPath) where thumbnailPath is not null`.compile(db),
    sql`create index directMediaByOwner on directMedia (ownerId, createdAt)`.compile(db),
    // replyToId has no foreign key: a reply stays when the message that it answers is deleted.
    sql`create table directMessage (
      id integer primary key,
      conversationId integer not null references conversation (id),
      senderId integer not null references user (id),
      content text not null,
      mediaId integer references directMedia (id),
      replyToId integer,
      clientId text not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index directMessageByConversation on directMessage (conversationId, id)`.compile(db),
    sql`create unique index directMessageByClientId on directMessage (senderId, clientId)`.compile(db),
    sql`create index directMessageBySender on directMessage (senderId, createdAt)`.compile(db),
    sql`create index directMessageByMedia on directMessage (mediaId) where mediaId is not null`.compile(db),
    // messages: the reported message and those around it as JSON, as they were when it was reported.
    sql`create table directMessageReport (
      id integer primary key,
      messageId integer not null,
      reporterId integer not null references user (id),
      reportedId integer not null references user (id),
      messages text not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create unique index directMessageReportOnce on directMessageReport (messageId, reporterId)`.compile(db),
  ],
}
