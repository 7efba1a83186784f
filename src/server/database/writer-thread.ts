import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadMigrations, type NumberedMigration } from './migrate.ts'
import { openForWriting } from './open.ts'
import { BATCH, WriterDesk } from './writer-desk.ts'
import type { ToWriter } from './writer-messages.ts'

interface WriterData {
  file: string
  onLiteFs: boolean
}

/** Takes what waits, commits it together, and goes on until nothing waits. */
function serve(port: MessagePort, { file, onLiteFs }: WriterData, migrations: NumberedMigration[]): void {
  const ground = {
    onLiteFs,
    migrations,
    // LiteFS keeps a checksum of every page, and a reign has to begin at once.
    openDatabase: () => openForWriting(file, onLiteFs ? 'unchecked' : 'checked'),
    readTxid: () => (onLiteFs ? readFileSync(`${file}-pos`, 'latin1').slice(0, 16) : ''),
    clock: Date.now,
    random: (below: number) => randomInt(below),
  }
  let isLast = false
  const desk = new WriterDesk(ground, (message) => port.postMessage(message))
  const take = (message: ToWriter) => {
    if ('kind' in message && message.kind === 'close') isLast = true
    desk.take(message)
  }
  const gather = () => {
    while (desk.waiting() < BATCH) {
      const more = receiveMessageOnPort(port)
      if (!more) return
      take(more.message as ToWriter) // only writer-source.ts posts here
    }
  }
  port.on('message', (message: ToWriter) => {
    take(message)
    for (gather(); desk.waiting(); gather()) desk.step()
    if (isLast) port.close()
  })
}

// What is posted while this loads waits in the port.
if (parentPort) serve(parentPort, workerData as WriterData, await loadMigrations()) // only writer-source.ts starts this
