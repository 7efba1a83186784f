import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { loadMigrations, migrate } from '../database/migrate.ts'
import { openForReading, openForWriting } from '../database/open.ts'
import { DatabaseReader, type Reader } from '../database/read.ts'
import { type WriteJob, type WriteResult, Writer } from '../database/writer.ts'

/** A folder that goes away with `remove`. */
export function createTemporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'meydan-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A migrated, seeded database with its writer in this thread and a clock that is set by hand. */
export interface TestDatabase {
  file: string
  db: Sqlite.Database
  read: Reader
  writer: Writer
  clock: { now: number }
  /** Runs one command in a batch of its own. */
  run(job: Partial<WriteJob> & Pick<WriteJob, 'command'>): WriteResult
  /** Adds a member with a session, whose id is the member's own, and answers it: `{ userId: id, sessionId: id }` may act. */
  addMember(username: string, role?: 'member' | 'rootadmin'): number
  close(): void
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = createTemporaryFolder()
  const file = join(folder.path, 'meydan.db')
  const db = openForWriting(file)
  const clock = { now: 1_700_000_000_000 }
  migrate(db, await loadMigrations(), clock.now)
  const writer = new Writer(db, { clock: () => clock.now, isOnLiteFs: false })
  const reading = openForReading(file)
  let lastId = 0
  const run = (job: Partial<WriteJob> & Pick<WriteJob, 'command'>): WriteResult => {
    const whole: WriteJob = {
      id: ++lastId,
      actor: null,
      input: {},
      clientId: null,
      actorContext: { inRoomForMs: null },
      ...job,
    }
    const [done] = writer.runBatch([whole]).results
    if (!done) throw new Error('a batch of one has one result')
    return done
  }
  run({ command: 'seedHouse' })
  const insert = db.prepare(
    `insert into user (username, foldedName, isGuest, role, gender, lastLoginPlatform, createdAt, lastSeenAt)
     values (?, lower(?), 0, ?, 'other', 'web', ?, ?)`,
  )
  const openSession = db.prepare("insert into session values (?, ?, null, 'web', ?, ?, null, null)")
  return {
    file,
    db,
    read: new DatabaseReader(reading),
    writer,
    clock,
    run,
    addMember: (username, role = 'member') => {
      const id = Number(insert.run(username, username, role, clock.now, clock.now).lastInsertRowid)
      openSession.run(id, id, clock.now, clock.now)
      return id
    },
    close: () => {
      reading.close()
      db.close()
      folder.remove()
    },
  }
}
