import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { loadMigrations, migrate } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { type Job, Writer } from './writer.ts'
import { CLOSE, type FromWriter, type ToWriter } from './writer-messages.ts'

/** A batch is bounded in number here and in time by what one command may take: well under a millisecond. */
const BATCH = 256

/** Takes what waits, commits it together, and goes on until nothing waits. */
function serve(port: MessagePort, db: Sqlite.Database): void {
  const writer = new Writer(db)
  let waiting: Job[] = []
  let isLast = false
  const take = (message: ToWriter) => {
    if (message === CLOSE) isLast = true
    else waiting = waiting.concat(message)
  }
  const gather = () => {
    while (waiting.length < BATCH) {
      const more = receiveMessageOnPort(port)
      if (!more) return
      take(more.message as ToWriter) // only execute.ts posts here
    }
  }
  port.on('message', (message: ToWriter) => {
    take(message)
    for (gather(); waiting.length; gather()) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      port.postMessage(writer.run(batch) satisfies FromWriter)
    }
    if (!isLast) return
    db.close()
    port.close()
  })
}

async function start(port: MessagePort): Promise<void> {
  const { file } = workerData as { file: string }
  try {
    const db = openForWriting(file)
    migrate(db, await loadMigrations(), Date.now())
    serve(port, db)
    port.postMessage({ ready: true } satisfies FromWriter)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    port.postMessage({ unusable: error.message } satisfies FromWriter)
  }
}

if (parentPort) await start(parentPort)
