import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** What only one of two users sees while one of them is ghost-banned: messages, read ticks, blocks and privacy. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table directMessage add column audience text check (audience in ('actor'))`.compile(db),
    // Pages skip hidden messages without reading their rows.
    sql`drop index directMessageByConversation`.compile(db),
    sql`create index directMessageByConversation on directMessage (conversationId, id, senderId, audience)`.compile(db),
    sql`create index directMessageHidden on directMessage (conversationId, senderId, id)
      where audience is not null`.compile(db),
    // The user's own messages are shown as read up to here; null: as far as the other user has read them.
    sql`alter table conversationSide add column shownReadId integer`.compile(db),
    // For whom a block is in effect: both users, or one while the blocker is ghost-banned.
    sql`alter table block add column effect text not null default 'both'
      check (effect in ('both', 'blocker', 'blocked'))`.compile(db),
    // JSON: the privacy settings that others are shown; null: those of the columns.
    sql`alter table user add column shownPrivacy text`.compile(db),
  ],
}
