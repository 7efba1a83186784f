import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openForReading } from './open.ts'
import { DatabaseReader } from './read.ts'
import type { FromReadWorker, ToReadWorker } from './read-worker-client.ts'
import type { AnySlowRead } from './slow-read.ts'

/** Serves the main thread, which has started this one (read-worker-client.ts). Messages that arrive before wait in the port. */
export function serveReadWorker(slowReads: ReadonlyMap<string, AnySlowRead>): void {
  if (!parentPort) throw new Error('the read worker runs in a thread of its own')
  serveReads(parentPort, (workerData as { file: string }).file, slowReads)
}

/** Answers reads one by one, on a read-only connection of this thread. */
function serveReads(port: MessagePort, file: string, slowReads: ReadonlyMap<string, AnySlowRead>): void {
  const db = openForReading(file)
  const reader = new DatabaseReader(db)
  const answer = ({ id, name, input }: Exclude<ToReadWorker, 'close'>): FromReadWorker => {
    try {
      const read = slowReads.get(name)
      if (!read) throw new Error(`no feature has the slow read ${name}`)
      return { id, answer: read(reader, input as never) } // the client checks it against the read of this name
    } catch (error) {
      return { id, errorStack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  port.on('message', (message: ToReadWorker) => {
    if (message !== 'close') return port.postMessage(answer(message))
    db.close()
    port.close()
  })
}
