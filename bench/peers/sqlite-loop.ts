import { randomUUID } from 'node:crypto'
import { loadMigrations, migrate } from '../../src/server/kernel/database/migrate.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import { encode } from '../../src/shared/protocol/frame.ts'
import { numberedText } from '../measure/deliveries.ts'
import { createPeerMessage } from './peer-message.ts'

/** Inserts the rows of a message in a bare better-sqlite3 loop: the ceiling of `send`. */
export interface Task {
  file: string
  /** Messages in one transaction. */
  batch: number
  seconds: number
  bytes: number
}

const { file, batch, seconds, bytes } = JSON.parse(process.argv[2] ?? '{}') as Task
const db = openForWriting(file)
migrate(db, await loadMigrations(), Date.now())
db.exec(`
  insert or ignore into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
    values (1, 'gezgin.0001', 'gezgin.0001', 1, 'guest', 'web', 0, 0);
  insert or ignore into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
    values (1, 'Oda', 'oda', 100000, 0, 1, 0, 0);
`)
const message = db.prepare(
  'insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt) values (1, 1, ?, 1, null, ?, ?)',
)
const event = db.prepare(
  `insert into event (seq, stream, actorId, audience, name, payload, at) values (?, 'room:1', 1, null, 'message', ?, ?)`,
)
// The content is the same for every row; only unique values are generated.
const content = numberedText(0, bytes)
const payload = encode(createPeerMessage(1, { roomId: 1, content, clientId: randomUUID() }))
let seq = (db.prepare('select coalesce(max(seq), 0) from event').pluck().get() as number) + 1

const insertBatch = db.transaction(() => {
  const now = Date.now()
  for (let i = 0; i < batch; i++) {
    message.run(content, randomUUID(), now)
    event.run(seq++, payload, now)
  }
})

function insertFor(milliseconds: number): { perSecond: number; perCpuSecond: number } {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  let inserted = 0
  while (performance.now() - startedAt < milliseconds) {
    insertBatch.immediate()
    inserted += batch
  }
  const { user, system } = process.cpuUsage(before)
  return {
    perSecond: (inserted * 1000) / (performance.now() - startedAt),
    perCpuSecond: (inserted * 1e6) / (user + system),
  }
}

insertFor(500)
console.log(JSON.stringify(insertFor(seconds * 1000)))
db.close()
