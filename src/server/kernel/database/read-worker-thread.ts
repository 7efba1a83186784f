import { globSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openForReading } from './open.ts'
import { DatabaseReader, type Reader } from './read.ts'
import type { FromReadWorker, ToReadWorker } from './read-worker-client.ts'

type SlowRead = (reader: Reader, input: object) => object

/** The slow reads of all features, by name. */
async function loadSlowReads(): Promise<Map<string, SlowRead>> {
  const serverFolder = new URL('../../', import.meta.url)
  const files = globSync('{kernel,model,features}/*/slow-reads.ts', { cwd: serverFolder }).sort()
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, serverFolder).href) as Promise<{ slowReads: Record<string, SlowRead> }>), // each file exports them
  )
  return new Map(modules.flatMap(({ slowReads }) => Object.entries(slowReads)))
}

/** Answers reads one by one, on a read-only connection of this thread. */
function serveReads(port: MessagePort, file: string, slowReads: ReadonlyMap<string, SlowRead>): void {
  const db = openForReading(file)
  const reader = new DatabaseReader(db)
  const answer = ({ id, name, input }: Exclude<ToReadWorker, 'close'>): FromReadWorker => {
    try {
      const read = slowReads.get(name)
      if (!read) throw new Error(`no feature has the slow read ${name}`)
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

// Only read-worker-client.ts starts this. Messages that arrive while this module loads wait in the port.
if (parentPort) serveReads(parentPort, (workerData as { file: string }).file, await loadSlowReads())
