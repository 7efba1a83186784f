import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadMigrations, migrate } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { type BatchResult, type Job, Writer } from './writer.ts'

/** What the writer's thread says to the region: ready once, then the result of each batch. */
export type WriterMessage = { ready: true } | { unusable: string } | BatchResult

/** A batch is bounded in number here and in time by what one command may take: well under a millisecond. */
const BATCH = 256

/** Takes what waits, commits it together, and goes on until nothing waits. */
function serve(port: MessagePort, writer: Writer): void {
  let waiting: Job[] = []
  const gather = () => {
    while (waiting.length < BATCH) {
      const more = receiveMessageOnPort(port)
      if (!more) return
      waiting = waiting.concat(more.message as Job[]) // only execute.ts posts here
    }
  }
  port.on('message', (jobs: Job[]) => {
    waiting = waiting.concat(jobs)
    for (gather(); waiting.length; gather()) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      port.postMessage(writer.run(batch) satisfies WriterMessage)
    }
  })
}

async function start(port: MessagePort): Promise<void> {
  const { file } = workerData as { file: string }
  try {
    const db = openForWriting(file)
    migrate(db, await loadMigrations(), Date.now())
    serve(port, new Writer(db))
    port.postMessage({ ready: true } satisfies WriterMessage)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    port.postMessage({ unusable: error.message } satisfies WriterMessage)
  }
}

if (parentPort) await start(parentPort)
