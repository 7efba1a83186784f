import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * A ghost's blocks and privacy are in effect for both from the beginning, and their ticks are as the other has read. Follows
 * across a block end, as at any block. What was written to all quotes no message of a ghost. A later release drops the
 * columns, and `ban.seenAt`.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`delete from follow where exists (
      select 1 from block where effect = 'blocker' and (
        (blockerId = followerId and blockedId = followingId) or (blockerId = followingId and blockedId = followerId)
      )
    )`.compile(db),
    sql`delete from block where effect = 'blocked'`.compile(db),
    sql`update block set effect = 'both' where effect = 'blocker'`.compile(db),
    sql`update message set replyToId = null
      where audience is null and replyToId in (select id from message where audience = 'actor')`.compile(db),
    sql`update user set shownPrivacy = null where shownPrivacy is not null`.compile(db),
    sql`update conversationSide set shownReadId = null where shownReadId is not null`.compile(db),
  ],
}
