import { hash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { SessionId, UserId } from '../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody, refuse } from '../../shared/protocol/refusals.ts'
import type { AnyWrite } from './define-write.ts'
import type { LoggedEvent } from './events.ts'
import { hookHandlers } from './hook-registry.ts'
import { query } from './query.ts'
import { type Actor, type Claims, TransactionAborted, WriterTransaction } from './transact.ts'
import { writeRegistry } from './write-registry.ts'
import type { CommandEnvelope } from './writer-client.ts'

/** One command in the writer's queue. `id` is unique in the region and identifies the caller. */
export interface WriteJob extends CommandEnvelope {
  id: number
}

export interface WriteResult {
  id: number
  answer?: object
  refusal?: RefusalBody
  /** The stack of a bug, for the log. */
  errorStack?: string
}

/** Results and events of one commit. */
export interface BatchResult {
  results: WriteResult[]
  events: LoggedEvent[]
  /** From `begin` to the end of `commit`, in milliseconds. */
  durationMs: number
}

const ANSWER_RETENTION_MS = 7 * 24 * 60 * 60 * 1000

const findAnswer = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db
    .selectFrom('commandAnswer')
    .select(['inputHash', 'answer'])
    .where('userId', '=', p('userId'))
    .where('clientId', '=', p('clientId')),
)
const insertAnswer = query<{
  userId: UserId
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

// Not a join: SQLite would re-prepare a join for every bound value, which takes ten times as long.
const findSessionRole = query<{ sessionId: SessionId }>()((db, p) =>
  db
    .selectFrom('session')
    .select((eb) => [
      'session.userId',
      eb.selectFrom('user').select('user.role').whereRef('user.id', '=', 'session.userId').as('role'),
    ])
    .where('session.id', '=', p('sessionId')),
)

/** Answers to commands without a session are stored under this id; no row of `user` has it. */
const ANONYMOUS_USER_ID = 0

export interface WriterOptions {
  /** Epoch milliseconds. */
  clock: () => number
  /** Whether a failed write means that the lease was lost. */
  isOnLiteFs: boolean
}

/** The lease was lost and the batch may or may not be committed, so none of its commands is answered. */
export class LeaseLostError extends Error {}

/** The only writer: runs commands in batches, a transaction per batch and a savepoint per command. */
export class Writer {
  private readonly tx: WriterTransaction
  private readonly options: WriterOptions

  constructor(db: Sqlite.Database, options: WriterOptions) {
    this.tx = new WriterTransaction(db, hookHandlers)
    this.options = options
  }

  /** The highest committed number of the log, used or skipped. */
  lastSeq(): number {
    return this.tx.committedSeq()
  }

  /**
   * Returns after the commit. When the commit fails, every job is refused with Busy. Throws a LeaseLostError when this
   * region is no longer the primary; the connection cannot be used again.
   */
  runBatch(jobs: WriteJob[]): BatchResult {
    const startedMs = performance.now()
    try {
      this.tx.begin(this.options.clock())
      const results = jobs.map((job) => this.runJob(job))
      return { results, events: this.tx.commit(), durationMs: performance.now() - startedMs }
    } catch (error) {
      if (this.options.isOnLiteFs && isLeaseLostCause(error))
        throw new LeaseLostError('the lease was lost', { cause: error })
      this.tx.rollback()
      const { body } = refuse('Busy')
      const results = jobs.map((job): WriteResult => ({ id: job.id, refusal: body, errorStack: formatError(error) }))
      return { results, events: [], durationMs: performance.now() - startedMs }
    }
  }

  private runJob(job: WriteJob): WriteResult {
    try {
      const result = this.tx.runInSavepoint(
        () => this.runIdempotent(job),
        (outcome) => !(outcome instanceof Refusal),
      )
      return result instanceof Refusal ? { id: job.id, refusal: result.body } : { id: job.id, answer: result }
    } catch (error) {
      if (error instanceof TransactionAborted || isStorageFailure(error)) throw error
      return { id: job.id, refusal: refuse('Failed').body, errorStack: formatError(error) }
    }
  }

  /** The same clientId of the same user has one effect and gets the same answer, even after the session has ended. */
  private runIdempotent(job: WriteJob): object | Refusal {
    const write = writeRegistry.get(job.command)
    if (!write) return refuse('UnknownCommand') // a region with newer code may have sent it
    const { clientId } = job
    if (!clientId || write.keepResult === 'never') return this.runCommand(write, job)
    const userId = job.actor?.userId ?? ANONYMOUS_USER_ID
    const inputHash = hash('sha256', JSON.stringify([write.name, retryInputOf(write, job.input)]), 'buffer')
    const stored = this.tx.get(findAnswer, { userId, clientId })
    if (stored)
      return inputHash.equals(stored.inputHash) ? (JSON.parse(stored.answer) as object) : refuse('ClientIdReused')
    const answer = this.runCommand(write, job)
    if (answer instanceof Refusal) return answer
    const expiresAt = write.keepResult === 'forever' ? null : this.tx.now + ANSWER_RETENTION_MS
    this.tx.run(insertAnswer, { userId, clientId, inputHash, answer: JSON.stringify(answer), expiresAt })
    return answer
  }

  private runCommand(write: AnyWrite, { actor: claims, input }: WriteJob): object | Refusal {
    const actor = claims && this.findActor(claims)
    return claims && !actor ? refuse('SessionEnded') : write.run(this.tx, actor, input)
  }

  /** Reads the role from the row: the submitting region may have an outdated one. */
  private findActor({ userId, sessionId }: Claims): Actor | null {
    const found = this.tx.get(findSessionRole, { sessionId })
    return found?.role && found.userId === userId ? { userId, sessionId, role: found.role } : null
  }
}

/** The fields of the input that a retry must repeat. */
function retryInputOf({ retryInput }: AnyWrite, input: object): object {
  if (retryInput === 'all') return input
  const fields = new Map(Object.entries(input))
  return retryInput.map((name) => fields.get(name) ?? null)
}

/** A failure of the disk or the file fails the whole batch, not one command. */
function isStorageFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|READONLY|BUSY)/.test(String(error.code))
  )
}

/** SQLite's errors on LiteFS after another region has the lease (decision 0008). */
export function isLeaseLostCause(error: unknown): boolean {
  if (error instanceof TransactionAborted) return isLeaseLostCause(error.cause)
  return error instanceof Error && 'code' in error && /^SQLITE_(IOERR|READONLY)/.test(String(error.code))
}

/** The stacks of an error and its causes. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${formatError(error.cause)}`
}
