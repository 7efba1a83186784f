import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Who started a conversation is kept by side: both users did, when the messages of the first are hidden from the second. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table conversationSide add column startedAt integer`.compile(db),
    sql`update conversationSide set startedAt = conversation.createdAt from conversation
      where conversation.id = conversationSide.conversationId
      and conversation.createdById = conversationSide.userId`.compile(db),
    sql`create index conversationSideByStart on conversationSide (userId, startedAt)
      where startedAt is not null`.compile(db),
  ],
}
