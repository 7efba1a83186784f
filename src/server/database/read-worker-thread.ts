import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openForReading } from './open.ts'
import { DatabaseReader, type Reader } from './read.ts'
import type { FromReadWorker, ToReadWorker } from './read-worker-client.ts'
import { slowReads } from './slow-reads.ts'

type SlowRead = (reader: Reader, input: object) => object

/** Answers reads one by one, on a read-only connection of this thread. */
function serveReads(port: MessagePort, file: string): void {
  const db = openForReading(file)
  const reader = new DatabaseReader(db)
  const answer = ({ id, name, input }: Exclude<ToReadWorker, 'close'>): FromReadWorker => {
    try {
      const read = slowReads[name] as SlowRead // read-worker-client.ts typed the input by the name
      return { id, answer: read(reader, input) }
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

if (parentPort) serveReads(parentPort, (workerData as { file: string }).file) // only read-worker-client.ts starts this
