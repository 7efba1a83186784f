import { encode } from '@msgpack/msgpack'
import type Sqlite from 'better-sqlite3'
import { loadMigrations, migrate } from '../../src/server/kernel/database/migrate.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'

/** Rows to create before a site starts. */
export interface Fill {
  messages: number
  rooms: number
}

/** The filled rooms have the ids from here on, above those that the bench opens later. */
export const FIRST_FILLED_ROOM_ID = 100_001
/** Rooms that share the messages; further rooms are empty, so that every size has the same room to measure. */
const ROOMS_WITH_MESSAGES = 10
const SENDERS = 1_000
/** Below the number of rows at which the site trims its log. */
const MAX_EVENTS = 900_000

/** Creates a database with listed rooms, members, messages and their events, in one statement a table. */
export async function fillDatabase(file: string, { messages, rooms }: Fill): Promise<void> {
  const db = openForWriting(file)
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -400000')
  db.pragma('foreign_keys = OFF')
  const now = Date.now()
  migrate(db, await loadMigrations(), now)
  db.transaction(() => {
    insertRows(
      db,
      SENDERS,
      `insert into user
      (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
      select n, 'sakin.' || n, 'sakin.' || n, 0, 'member', 'web', ${now}, ${now} from number`,
    )
    insertRows(
      db,
      rooms,
      `insert into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
      select ${FIRST_FILLED_ROOM_ID} - 1 + n, 'Dolu Oda ' || n, 'dolu oda ' || n, 100000, 1, 1, ${now}, ${now}
      from number`,
    )
    insertRows(
      db,
      messages,
      `insert into message
      (id, roomId, senderId, content, consecutiveCount, clientId, createdAt)
      select n, ${FIRST_FILLED_ROOM_ID} + n % ${ROOMS_WITH_MESSAGES}, 1 + n * 7919 % ${SENDERS},
        'Bugün hava güzel, sahilde yürüyüş yaptık ve çay içtik ' || n, 1, lower(hex(randomblob(16))), ${now}
      from number`,
    )
    // Their content is never replayed: the bench sends more messages than a replay reads.
    insertRows(
      db,
      Math.min(messages, MAX_EVENTS),
      `insert into event (seq, stream, name, payload, at)
      select n, 'room:' || (${FIRST_FILLED_ROOM_ID} + n % ${ROOMS_WITH_MESSAGES}), 'message', @payload, ${now}
      from number`,
      { payload: Buffer.from(encode({ content: 'x'.repeat(250) })) },
    )
    // Otherwise the site would index all messages while it is measured.
    db.prepare('update messageIndex set indexedUpToId = ?').run(messages)
  })()
  db.close()
}

/** Runs `insert`, which selects from `number (n)` with 1 to `count`. */
function insertRows(db: Sqlite.Database, count: number, insert: string, values: Record<string, Buffer> = {}): void {
  const select = insert.indexOf('select')
  const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < @count) '
  db.prepare(insert.slice(0, select) + numbers + insert.slice(select)).run({ count, ...values })
}
