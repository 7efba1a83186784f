import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadMigrations, type NumberedMigration } from './migrate.ts'
import { openForWriting } from './open.ts'
import type { ToWriter } from './writer-messages.ts'
import { MAX_BATCH_SIZE, WriterQueue } from './writer-queue.ts'

interface WriterThreadData {
  file: string
  isOnLiteFs: boolean
}

/** Takes what waits, commits it together, and goes on until nothing waits. */
function serveWriter(port: MessagePort, { file, isOnLiteFs }: WriterThreadData, migrations: NumberedMigration[]): void {
  const platform = {
    isOnLiteFs: isOnLiteFs,
    migrations,
    // LiteFS keeps a checksum of every page, and a term has to begin at once.
    openDatabase: () => openForWriting(file, isOnLiteFs ? 'unchecked' : 'checked'),
    readTxid: () => (isOnLiteFs ? readFileSync(`${file}-pos`, 'latin1').slice(0, 16) : ''),
    clock: Date.now,
    randomInt: (below: number) => randomInt(below),
  }
  let isLast = false
  const desk = new WriterQueue(platform, (message) => port.postMessage(message))
  const take = (message: ToWriter) => {
    if ('kind' in message && message.kind === 'close') isLast = true
    desk.enqueue(message)
  }
  const gather = () => {
    while (desk.pendingCount() < MAX_BATCH_SIZE) {
      const more = receiveMessageOnPort(port)
      if (!more) return
      take(more.message as ToWriter) // only writer-transport.ts posts here
    }
  }
  port.on('message', (message: ToWriter) => {
    take(message)
    for (gather(); desk.pendingCount(); gather()) desk.processNext()
    if (isLast) port.close()
  })
}

// What is posted while this loads waits in the port.
if (parentPort) serveWriter(parentPort, workerData as WriterThreadData, await loadMigrations()) // only writer-transport.ts starts this
