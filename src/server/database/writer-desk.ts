import type Sqlite from 'better-sqlite3'
import { BEGINNING, type Position } from '../regions/position.ts'
import { leapSequence } from './events.ts'
import { migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError } from './open.ts'
import { WriterTransaction } from './transact.ts'
import { isLeaseGone, type Job, LeaseLost, stackOf, Writer } from './writer.ts'
import type { Control, FromWriter, ToWriter } from './writer-messages.ts'

/** A batch is bounded in number here and in time by what one command may take: well under a millisecond. */
export const BATCH = 256

/** Beside the leap that every reign begins with: two histories that were both lost hardly ever share a number. */
const LEAP_MORE = 2 ** 20
/**
 * A reign begins above so many numbers for each millisecond since 1970: whatever reign was lost, and however far it had
 * come, the one that replaced it has higher numbers.
 */
const NUMBERS_A_MS = 1_024

/** What the writer stands on, so that a simulation can lay another ground. */
export interface Ground {
  onLiteFs: boolean
  migrations: NumberedMigration[]
  openDatabase(): Sqlite.Database
  /** LiteFS's transaction of the file, 16 hex digits; `''` on a plain file. Throws when LiteFS cannot say. */
  readTxid(): string
  /** Epoch milliseconds by this machine's own clock. */
  clock(): number
  /** A whole number from 0 up to, not including, `below`. */
  random(below: number): number
}

/** The writer's side of the door: opens and shuts the file as it is told, and commits together what waits together. */
export class WriterDesk {
  private readonly ground: Ground
  private readonly say: (message: FromWriter) => void
  private queue: (Job | Control)[] = []
  private db: Sqlite.Database | null = null
  private writer: Writer | null = null
  private position: Position = BEGINNING

  constructor(ground: Ground, say: (message: FromWriter) => void) {
    this.ground = ground
    this.say = say
  }

  take(message: ToWriter): void {
    this.queue = this.queue.concat(message)
  }

  /** Jobs and requests that wait. */
  waiting(): number {
    return this.queue.length
  }

  /** Carries out one request, or one batch of jobs that came before the next request. */
  step(): void {
    const [first] = this.queue
    if (!first) return
    if ('kind' in first) {
      this.queue = this.queue.slice(1)
      this.control(first)
      return
    }
    const end = this.queue.findIndex((waiting) => 'kind' in waiting)
    const size = Math.min(BATCH, end === -1 ? this.queue.length : end)
    const batch = this.queue.slice(0, size) as Job[] // none of them is a request
    this.queue = this.queue.slice(size)
    this.carryOut(batch)
  }

  private control(request: Control): void {
    this.shut()
    if (request.kind === 'open') this.open(request)
    else this.say({ kind: 'shut', id: request.id, position: this.position })
  }

  private open({ id, clockOffsetMs }: Control & { kind: 'open' }): void {
    const { ground } = this
    const clock = () => ground.clock() + clockOffsetMs
    try {
      this.db = ground.openDatabase()
      migrate(this.db, ground.migrations, clock())
      if (ground.onLiteFs) beginReign(this.db, clock(), ground.random(LEAP_MORE))
      this.writer = new Writer(this.db, { clock, onLiteFs: ground.onLiteFs })
      this.position = { txid: ground.readTxid(), seq: this.writer.seq() }
      this.say({ kind: 'opened', id, position: this.position })
    } catch (error) {
      this.shut()
      if (error instanceof DatabaseError) this.say({ kind: 'unusable', id, message: error.message })
      else if (ground.onLiteFs && (isLeaseGone(error) || isOfFiles(error))) this.lose(id, error)
      else throw error
    }
  }

  private carryOut(jobs: Job[]): void {
    if (!this.writer) return
    try {
      const batch = this.writer.run(jobs)
      this.position = { txid: this.txidAfterCommit(), seq: this.writer.seq() }
      this.say({ kind: 'batch', batch, position: this.position })
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
      this.lose(null, error)
    }
  }

  /** What was committed just now cannot be answered without its place in the history. */
  private txidAfterCommit(): string {
    try {
      return this.ground.readTxid()
    } catch (error) {
      throw new LeaseLost('the position could not be read', { cause: error })
    }
  }

  private lose(id: number | null, error: unknown): void {
    this.shut()
    this.say({ kind: 'lost', id, cause: stackOf(error) })
  }

  private shut(): void {
    const { db } = this
    this.db = null
    this.writer = null
    try {
      db?.close()
    } catch (error) {
      // Without the lease nothing can be tidied up, and nothing is left open either.
      if (!this.ground.onLiteFs) throw error
    }
  }
}

function beginReign(db: Sqlite.Database, now: number, more: number): void {
  const tx = new WriterTransaction(db)
  tx.begin(now)
  leapSequence(tx, { atLeast: Math.floor(now) * NUMBERS_A_MS, more })
  tx.commit()
}

/** The mount is gone, or takes no new file: Node's own error of a file, or SQLite's of opening one. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|SQLITE_CANTOPEN.*)$/.test(String(error.code))
}
