import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** For whom a post, a like or a comment is: `actor`: for its author and root admins; null: for everybody. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table post add column audience text check (audience in ('actor'))`.compile(db),
    sql`alter table postLike add column audience text check (audience in ('actor'))`.compile(db),
    sql`alter table postComment add column audience text check (audience in ('actor'))`.compile(db),
    sql`create index postHidden on post (userId) where audience is not null and isArchived = 0 and deletedAt is null`.compile(
      db,
    ),
    sql`create index postLikeHidden on postLike (postId, userId) where audience is not null`.compile(db),
    sql`create index postCommentHidden on postComment (postId, userId) where audience is not null`.compile(db),
  ],
}
