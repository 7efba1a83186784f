import { hash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import { Refusal, type RefusalBody, refuse } from '../../shared/protocol/refusals.ts'
import { answersKeptForever, writeCommands } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import { query } from './query.ts'
import {
  type Actor,
  type Claims,
  type Moment,
  type Transaction,
  TransactionLost,
  WriterTransaction,
} from './transact.ts'
import type { Order } from './write-door.ts'

/** One command that waits for the writer. `id` is the region's own, to find who asked. */
export interface Job extends Order {
  id: number
}

type Run = (tx: Transaction, actor: Actor | null, input: object, moment: Moment) => object | Refusal

export interface Done {
  id: number
  answer?: object
  refusal?: RefusalBody
  /** The stack of a bug, for the log. */
  bug?: string
}

/** What became durable together. */
export interface BatchResult {
  done: Done[]
  events: LoggedEvent[]
  /** From `begin` to the end of `commit`, in milliseconds. */
  tookMs: number
}

const ANSWER_KEPT_MS = 7 * 24 * 60 * 60 * 1000

const storedAnswer = query<{ userId: number; clientId: string }>()((db, p) =>
  db
    .selectFrom('commandAnswer')
    .select(['inputHash', 'answer'])
    .where('userId', '=', p('userId'))
    .where('clientId', '=', p('clientId')),
)
const storeAnswer = query<{
  userId: number
  clientId: string
  inputHash: Uint8Array
  answer: string
  expiresAt: number | null
}>()((db, p) =>
  db.insertInto('commandAnswer').values({
    userId: p('userId'),
    clientId: p('clientId'),
    inputHash: p('inputHash'),
    answer: p('answer'),
    expiresAt: p('expiresAt'),
  }),
)

// Not a join: SQLite would plan that anew for every value that is bound, which takes ten times as long.
const sessionRole = query<{ sessionId: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select((eb) => [
      'session.userId',
      eb.selectFrom('user').select('user.role').whereRef('user.id', '=', 'session.userId').as('role'),
    ])
    .where('session.id', '=', p('sessionId')),
)

/** Whose answers they are that somebody gets without a session; no row of `user` has this id. */
const NOBODY = 0

export interface WriterOptions {
  /** Epoch milliseconds. */
  clock: () => number
  /** Whether a disk that cannot be written means that the lease went. */
  onLiteFs: boolean
}

/** The lease went: whether what was under way is kept is not known, and nobody may be answered. */
export class LeaseLost extends Error {}

/** The only writer: runs commands in batches, one transaction each, one savepoint a command. */
export class Writer {
  private readonly tx: WriterTransaction
  private readonly options: WriterOptions

  constructor(db: Sqlite.Database, options: WriterOptions) {
    this.tx = new WriterTransaction(db)
    this.options = options
  }

  /** The highest number of the log that was used or leapt over. */
  seq(): number {
    return this.tx.committedSeq()
  }

  /**
   * Answers are released only after the commit; when that fails, nobody is told that anything was done.
   * Throws a LeaseLost when it failed because this region is not the primary any more; the connection is then no
   * longer of use.
   */
  run(jobs: Job[]): BatchResult {
    const started = performance.now()
    try {
      this.tx.begin(this.options.clock())
      const done = jobs.map((job) => this.attempt(job))
      return { done, events: this.tx.commit(), tookMs: performance.now() - started }
    } catch (error) {
      if (this.options.onLiteFs && isLeaseGone(error)) throw new LeaseLost('the lease went', { cause: error })
      this.tx.rollback()
      const { body } = refuse('Busy')
      const done = jobs.map((job): Done => ({ id: job.id, refusal: body, bug: stackOf(error) }))
      return { done, events: [], tookMs: performance.now() - started }
    }
  }

  private attempt(job: Job): Done {
    try {
      const result = this.tx.attempt(
        () => this.once(job),
        (outcome) => !(outcome instanceof Refusal),
      )
      return result instanceof Refusal ? { id: job.id, refusal: result.body } : { id: job.id, answer: result }
    } catch (error) {
      if (error instanceof TransactionLost || isFault(error)) throw error
      return { id: job.id, refusal: refuse('Failed').body, bug: stackOf(error) }
    }
  }

  /** The same clientId of the same person has one effect and gets the same answer, even after their session ended. */
  private once(job: Job): object | Refusal {
    const { clientId } = job
    if (!clientId) return this.carryOut(job)
    const userId = job.actor?.userId ?? NOBODY
    const inputHash = hash('sha256', JSON.stringify([job.command, job.input]), 'buffer')
    const stored = this.tx.get(storedAnswer, { userId, clientId })
    if (stored)
      return inputHash.equals(stored.inputHash) ? (JSON.parse(stored.answer) as object) : refuse('ClientIdReused')
    const answer = this.carryOut(job)
    if (answer instanceof Refusal) return answer
    const expiresAt = answersKeptForever.has(job.command) ? null : this.tx.now + ANSWER_KEPT_MS
    this.tx.run(storeAnswer, { userId, clientId, inputHash, answer: JSON.stringify(answer), expiresAt })
    return answer
  }

  private carryOut({ command, actor: claims, input, moment }: Job): object | Refusal {
    const run = writeCommands[command] as Run // execute() typed the input by the command's name
    const actor = claims && this.actorOf(claims)
    return claims && !actor ? refuse('SessionEnded') : run(this.tx, actor, input, moment)
  }

  /** Who acts, by what the rows say now: another region may know them as what they were. */
  private actorOf({ userId, sessionId }: Claims): Actor | null {
    const found = this.tx.get(sessionRole, { sessionId })
    return found?.role && found.userId === userId ? { userId, sessionId, role: found.role } : null
  }
}

/** A fault of the disk or the file is the whole batch's, not one command's. */
function isFault(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|READONLY|BUSY)/.test(String(error.code))
  )
}

/** How SQLite says on LiteFS that somebody else may write now (decision 0008). */
export function isLeaseGone(error: unknown): boolean {
  if (error instanceof TransactionLost) return isLeaseGone(error.cause)
  return error instanceof Error && 'code' in error && /^SQLITE_(IOERR|READONLY)/.test(String(error.code))
}

/** What a log needs of an error, and of what caused it. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${stackOf(error.cause)}`
}
