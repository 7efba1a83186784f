import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Files of room messages: rows like those of `directMedia`. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table roomMedia (
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
      createdAt integer not null,
      clientId text not null,
      expiresAt integer
    ) strict`.compile(db),
    sql`create index roomMediaByOriginal on roomMedia (originalPath)`.compile(db),
    sql`create index roomMediaByThumbnail on roomMedia (thumbnailPath) where thumbnailPath is not null`.compile(db),
    sql`create unique index roomMediaByClientId on roomMedia (ownerId, clientId)`.compile(db),
    sql`create index roomMediaByExpiry on roomMedia (expiresAt) where expiresAt is not null`.compile(db),
    sql`alter table message add column mediaId integer references roomMedia (id)`.compile(db),
    sql`create index messageByMedia on message (mediaId) where mediaId is not null`.compile(db),
  ],
}
