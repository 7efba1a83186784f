import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Posts of profiles with their likes, comments, files and reports. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // The last id of each table: the id of a deleted row is never given again, because links and events name it.
    sql`create table postSequence (name text primary key, lastId integer not null) strict, without rowid`.compile(db),
    sql`insert into postSequence (name, lastId) values ('post', 0), ('comment', 0)`.compile(db),
    // score: likeCount + 2 for each user who has commented. deletedAt: nobody sees the post any more. isPurging: a job
    // deletes its likes and comments, and its row unless it was reported.
    sql`create table post (
      id integer primary key,
      userId integer not null references user (id),
      type text not null check (type in ('photo', 'video')),
      path text not null,
      mediumPath text,
      thumbnailPath text,
      sizeBytes integer not null,
      width integer,
      height integer,
      durationMs integer,
      blur text,
      description text not null,
      isArchived integer not null check (isArchived in (0, 1)),
      createdAt integer not null,
      likeCount integer not null check (likeCount >= 0),
      commentCount integer not null check (commentCount >= 0),
      score integer not null check (score >= 0),
      isReported integer not null check (isReported in (0, 1)),
      deletedAt integer,
      isPurging integer not null check (isPurging in (0, 1))
    ) strict`.compile(db),
    sql`create index postByTime on post (userId, isArchived, createdAt, id) where deletedAt is null`.compile(db),
    sql`create index postByScore on post (userId, isArchived, score, id) where deletedAt is null`.compile(db),
    sql`create index postToPurge on post (id) where isPurging = 1`.compile(db),
    // How many posts a profile shows.
    sql`create table postTotal (
      userId integer primary key references user (id),
      postCount integer not null check (postCount >= 0)
    ) strict`.compile(db),
    // The files of a post: names below /uploads/.
    sql`create table postFile (
      path text not null,
      postId integer not null references post (id),
      primary key (path, postId)
    ) strict, without rowid`.compile(db),
    sql`create index postFileByPost on postFile (postId)`.compile(db),
    sql`create table postLike (
      postId integer not null references post (id),
      userId integer not null references user (id),
      createdAt integer not null,
      primary key (postId, userId)
    ) strict, without rowid`.compile(db),
    sql`create index postLikeByTime on postLike (postId, createdAt, userId)`.compile(db),
    sql`create index postLikeByUser on postLike (userId, postId)`.compile(db),
    sql`create table postComment (
      id integer primary key,
      postId integer not null references post (id),
      userId integer not null references user (id),
      content text not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index postCommentByPost on postComment (postId, id)`.compile(db),
    sql`create index postCommentByUser on postComment (userId, postId)`.compile(db),
    // content: the post and its latest comments as JSON, as they were when it was reported.
    sql`create table postReport (
      id integer primary key,
      postId integer not null,
      reporterId integer not null references user (id),
      reportedId integer not null references user (id),
      content text not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create unique index postReportOnce on postReport (postId, reporterId)`.compile(db),
    // Users who are removed for good: a job deletes their likes and comments.
    sql`create table postPurgedUser (userId integer primary key references user (id)) strict`.compile(db),
  ],
}
