import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { type Position, ZERO_POSITION } from '../regions/replication/position.ts'
import { skipSequence } from './events.ts'
import { loadMigrations, migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { WriterTransaction } from './transact.ts'
import { formatError, isLeaseLostCause, LeaseLostError, type WriteJob, Writer } from './writer.ts'
import type { FromWriter, ToWriter, WriterRequest, WriterThreadData } from './writer-client.ts'

/** Jobs in one transaction at most. One job takes well under a millisecond, so the time of a batch is bounded too. */
const MAX_BATCH_SIZE = 256

/** Added to the skip that begins a term, so that two lost histories hardly ever share a number. */
const RANDOM_SKIP = 2 ** 20
/**
 * A term begins above this many numbers for each millisecond since 1970. A later term therefore has higher numbers than
 * a lost one, however far that had come.
 */
const SEQS_PER_MS = 1_024

/** What the writer takes from the machine. A simulation brings its own. */
export interface WriterPlatform {
  isOnLiteFs: boolean
  migrations: NumberedMigration[]
  openDatabase(): Sqlite.Database
  /** LiteFS's transaction of the file, 16 hex digits; `''` on a plain file. Throws when LiteFS cannot say. */
  readTxid(): string
  /** Epoch milliseconds by this machine's own clock. */
  clock(): number
  /** A whole number from 0 up to, not including, `below`. */
  randomInt(below: number): number
}

/** The writer's side of the thread boundary: opens and closes the file on request, and commits waiting jobs in batches. */
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

  /** Jobs and requests that wait. */
  pendingCount(): number {
    return this.queue.length
  }

  /** Handles one request, or one batch of the jobs that came before the next request. */
  processNext(): void {
    const [first] = this.queue
    if (!first) return
    if ('kind' in first) {
      this.queue = this.queue.slice(1)
      this.handleRequest(first)
      return
    }
    const end = this.queue.findIndex((waiting) => 'kind' in waiting)
    const size = Math.min(MAX_BATCH_SIZE, end === -1 ? this.queue.length : end)
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
      this.writer = new Writer(this.db, { clock, isOnLiteFs: platform.isOnLiteFs })
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

  /** An answer carries its position, so a commit whose position cannot be read is not answered. */
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
      // Without the lease the checkpoint on close fails; the connection is closed all the same.
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

/** The mount is gone or accepts no new file: an error of Node's file functions, or SQLite's of opening a file. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|SQLITE_CANTOPEN.*)$/.test(String(error.code))
}

function createThreadPlatform({ file, isOnLiteFs }: WriterThreadData, migrations: NumberedMigration[]): WriterPlatform {
  return {
    isOnLiteFs,
    migrations,
    // LiteFS keeps a checksum of every page, and a term has to begin at once.
    openDatabase: () => openForWriting(file, isOnLiteFs ? 'unchecked' : 'checked'),
    readTxid: () => (isOnLiteFs ? readFileSync(`${file}-pos`, 'latin1').slice(0, 16) : ''),
    clock: Date.now,
    randomInt: (below) => randomInt(below),
  }
}

/** Takes every message that waits in the port, commits the jobs together, and goes on until none waits. */
function serveWriter(port: MessagePort, platform: WriterPlatform): void {
  const queue = new WriterQueue(platform, (message) => port.postMessage(message))
  let isLast = false
  const enqueue = (message: ToWriter) => {
    if ('kind' in message && message.kind === 'terminate') isLast = true
    queue.enqueue(message)
  }
  const enqueueWaiting = () => {
    while (queue.pendingCount() < MAX_BATCH_SIZE) {
      const more = receiveMessageOnPort(port)
      if (!more) return
      enqueue(more.message as ToWriter) // only writer-client.ts posts here
    }
  }
  port.on('message', (message: ToWriter) => {
    enqueue(message)
    for (enqueueWaiting(); queue.pendingCount(); enqueueWaiting()) queue.processNext()
    if (isLast) port.close()
  })
}

// A test may import this module inside a worker of its runner: only spawnWriter passes `writer`.
const { writer: threadData } = (workerData ?? {}) as { writer?: WriterThreadData }
// Messages that are posted while this loads wait in the port.
if (parentPort && threadData) serveWriter(parentPort, createThreadPlatform(threadData, await loadMigrations()))
