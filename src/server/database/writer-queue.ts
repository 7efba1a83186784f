import type Sqlite from 'better-sqlite3'
import { type Position, ZERO_POSITION } from '../regions/replication/position.ts'
import { skipSequence } from './events.ts'
import { migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError } from './open.ts'
import { WriterTransaction } from './transact.ts'
import { formatError, isLeaseLostCause, LeaseLostError, type WriteJob, Writer } from './writer.ts'
import type { FromWriter, ToWriter, WriterRequest } from './writer-messages.ts'

/** A batch is bounded in number here and in time by what one command may take: well under a millisecond. */
export const MAX_BATCH_SIZE = 256

/** Beside the leap that every reign begins with: two histories that were both lost hardly ever share a number. */
const RANDOM_SKIP = 2 ** 20
/**
 * A reign begins above so many numbers for each millisecond since 1970: whatever reign was lost, and however far it had
 * come, the one that replaced it has higher numbers.
 */
const SEQS_PER_MS = 1_024

/** What the writer stands on, so that a simulation can lay another ground. */
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

/** The writer's side of the door: opens and shuts the file as it is told, and commits together what waits together. */
export class WriterQueue {
  private readonly platform: WriterPlatform
  private readonly send: (message: FromWriter) => void
  private queue: (WriteJob | WriterRequest)[] = []
  private db: Sqlite.Database | null = null
  private writer: Writer | null = null
  private position: Position = ZERO_POSITION

  constructor(ground: WriterPlatform, say: (message: FromWriter) => void) {
    this.platform = ground
    this.send = say
  }

  enqueue(message: ToWriter): void {
    this.queue = this.queue.concat(message)
  }

  /** Jobs and requests that wait. */
  pendingCount(): number {
    return this.queue.length
  }

  /** Carries out one request, or one batch of jobs that came before the next request. */
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
    if (request.kind === 'open') this.openDatabase(request)
    else this.send({ kind: 'shut', id: request.id, position: this.position })
  }

  private openDatabase({ id, clockOffsetMs }: WriterRequest & { kind: 'open' }): void {
    const { platform } = this
    const clock = () => platform.clock() + clockOffsetMs
    try {
      this.db = platform.openDatabase()
      migrate(this.db, platform.migrations, clock())
      if (platform.isOnLiteFs) beginTerm(this.db, clock(), platform.randomInt(RANDOM_SKIP))
      this.writer = new Writer(this.db, { clock, isOnLiteFs: platform.isOnLiteFs })
      this.position = { txid: platform.readTxid(), seq: this.writer.lastSeq() }
      this.send({ kind: 'opened', id, position: this.position })
    } catch (error) {
      this.closeDatabase()
      if (error instanceof DatabaseError) this.send({ kind: 'unusable', id, message: error.message })
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

  /** What was committed just now cannot be answered without its place in the history. */
  private readTxidAfterCommit(): string {
    try {
      return this.platform.readTxid()
    } catch (error) {
      throw new LeaseLostError('the position could not be read', { cause: error })
    }
  }

  private handleLeaseLost(id: number | null, error: unknown): void {
    this.closeDatabase()
    this.send({ kind: 'lost', id, cause: formatError(error) })
  }

  private closeDatabase(): void {
    const { db } = this
    this.db = null
    this.writer = null
    try {
      db?.close()
    } catch (error) {
      // Without the lease nothing can be tidied up, and nothing is left open either.
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

/** The mount is gone, or takes no new file: Node's own error of a file, or SQLite's of opening one. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|SQLITE_CANTOPEN.*)$/.test(String(error.code))
}
