import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { CommandRegistry } from './commands/command-registry.ts'
import { skipSequence } from './events/skip-sequence.ts'
import { loadMigrations, migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { type Position, ZERO_POSITION } from './position.ts'
import { WriterTransaction } from './transaction.ts'
import { formatError, isLeaseLostCause, LeaseLostError, type WriteJob, Writer } from './writer.ts'
import type { FromWriter, ToWriter, WriterRequest, WriterThreadData } from './writer-client.ts'

/** Maximum of jobs per transaction. A job takes well under a millisecond, so a batch's duration is bounded too. */
const MAX_BATCH_SIZE = 256

/** Bound of the random part of a term's skip, so that two lost histories hardly ever share a number. */
const RANDOM_SKIP = 2 ** 20
/**
 * A term begins above this many numbers per millisecond since 1970, so a later term has higher numbers than a lost one
 * of any length.
 */
const SEQS_PER_MS = 1_024

/** What the writer takes from the machine; a simulation replaces it. */
export interface WriterPlatform {
  commands: CommandRegistry
  isOnLiteFs: boolean
  migrations: NumberedMigration[]
  openDatabase(): Sqlite.Database
  /** LiteFS's transaction id of the file, 16 hex digits; `''` on a plain file. Throws when it cannot be read. */
  readTxid(): string
  /** Epoch milliseconds of this machine's clock. */
  clock(): number
  /** An integer from 0 to `below`, exclusive. */
  randomInt(below: number): number
}

/** The writer's side of the thread boundary: opens and closes the file on request and commits queued jobs in batches. */
export class WriterQueue {
  private readonly platform: WriterPlatform
  private readonly send: (message: FromWriter) => void
  private queue: (WriteJob | WriterRequest)[] = []
  private db: Sqlite.Database | null = null
  private writer: Writer | null = null
  private position: Position = ZERO_POSITION

  constructor(platform: WriterPlatform, send: (message: FromWriter) => void) {
    this.platform = platform
    this.send = send
  }

  enqueue(message: ToWriter): void {
    this.queue = this.queue.concat(message)
  }

  /** Queued jobs and requests. */
  pendingCount(): number {
    return this.queue.length
  }

  /** Handles one request, or one batch of the jobs before the next request. */
  processNext(): void {
    const [first] = this.queue
    if (!first) return
    if ('kind' in first) {
      this.queue = this.queue.slice(1)
      this.handleRequest(first)
      return
    }
    const requestIndex = this.queue.findIndex((queued) => 'kind' in queued)
    const size = Math.min(MAX_BATCH_SIZE, requestIndex === -1 ? this.queue.length : requestIndex)
    const batch = this.queue.slice(0, size) as WriteJob[] // none of them is a request
    this.queue = this.queue.slice(size)
    this.commitBatch(batch)
  }

  private handleRequest(request: WriterRequest): void {
    this.closeDatabase()
    if (request.kind === 'openDatabase') this.openDatabase(request)
    else this.send({ kind: 'databaseClosed', id: request.id, position: this.position })
  }

  private openDatabase({ id, clockOffsetMs }: WriterRequest & { kind: 'openDatabase' }): void {
    const { platform } = this
    const clock = () => platform.clock() + clockOffsetMs
    try {
      this.db = platform.openDatabase()
      migrate(this.db, platform.migrations, clock())
      if (platform.isOnLiteFs) beginTerm(this.db, clock(), platform.randomInt(RANDOM_SKIP))
      this.writer = new Writer(this.db, { commands: platform.commands, clock, isOnLiteFs: platform.isOnLiteFs })
      this.position = { txid: platform.readTxid(), seq: this.writer.lastSeq() }
      this.send({ kind: 'databaseOpened', id, position: this.position })
    } catch (error) {
      this.closeDatabase()
      if (error instanceof DatabaseError) this.send({ kind: 'databaseUnusable', id, message: error.message })
      else if (platform.isOnLiteFs && (isLeaseLostCause(error) || isFileError(error))) this.handleLeaseLost(id, error)
      else throw error
    }
  }

  private commitBatch(jobs: WriteJob[]): void {
    if (!this.writer) return
    try {
      const batch = this.writer.runBatch(jobs)
      this.position = { txid: this.readTxidAfterCommit(), seq: this.writer.lastSeq() }
      this.send({ kind: 'batch', batch, position: this.position })
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
      this.handleLeaseLost(null, error)
    }
  }

  /** An answer carries its position, so without a position a commit cannot be answered. */
  private readTxidAfterCommit(): string {
    try {
      return this.platform.readTxid()
    } catch (error) {
      throw new LeaseLostError('the position could not be read', { cause: error })
    }
  }

  private handleLeaseLost(id: number | null, error: unknown): void {
    this.closeDatabase()
    this.send({ kind: 'leaseLost', id, cause: formatError(error) })
  }

  private closeDatabase(): void {
    const { db } = this
    this.db = null
    this.writer = null
    try {
      db?.close()
    } catch (error) {
      // Without the lease the checkpoint on close fails, but the connection is closed.
      if (!this.platform.isOnLiteFs) throw error
    }
  }
}

function beginTerm(db: Sqlite.Database, now: number, more: number): void {
  const tx = new WriterTransaction(db)
  tx.begin(now)
  skipSequence(tx, { atLeast: Math.floor(now) * SEQS_PER_MS, more })
  tx.commit()
}

/** The mount is missing or read-only: an error of Node's file functions, or SQLite cannot open the file. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|SQLITE_CANTOPEN.*)$/.test(String(error.code))
}

function createThreadPlatform(
  { file, isOnLiteFs }: WriterThreadData,
  migrations: NumberedMigration[],
  commands: CommandRegistry,
): WriterPlatform {
  return {
    commands,
    isOnLiteFs,
    migrations,
    // LiteFS has a checksum of every page, and a check would delay the term.
    openDatabase: () => openForWriting(file, isOnLiteFs ? 'unchecked' : 'checked'),
    readTxid: () => (isOnLiteFs ? readFileSync(`${file}-pos`, 'latin1').slice(0, 16) : ''),
    clock: Date.now,
    randomInt: (below) => randomInt(below),
  }
}

/** Drains the port into the queue before each batch, so that jobs that arrive together share a commit. */
function serveWriter(port: MessagePort, platform: WriterPlatform): void {
  const queue = new WriterQueue(platform, (message) => port.postMessage(message))
  let isLast = false
  const enqueue = (message: ToWriter) => {
    if ('kind' in message && message.kind === 'terminate') isLast = true
    queue.enqueue(message)
  }
  const drainPort = () => {
    while (queue.pendingCount() < MAX_BATCH_SIZE) {
      const received = receiveMessageOnPort(port)
      if (!received) return
      enqueue(received.message as ToWriter) // only writer-client.ts posts here
    }
  }
  port.on('message', (message: ToWriter) => {
    enqueue(message)
    for (drainPort(); queue.pendingCount(); drainPort()) queue.processNext()
    if (isLast) port.close()
  })
}

/** Serves the main thread, which has started this one (writer-client.ts). Messages that arrive before wait in the port. */
export async function serveWriterThread(commands: CommandRegistry): Promise<void> {
  if (!parentPort) throw new Error('the writer runs in a thread of its own')
  const { writer } = workerData as { writer: WriterThreadData }
  serveWriter(parentPort, createThreadPlatform(writer, await loadMigrations(), commands))
}
