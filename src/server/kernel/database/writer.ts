import type Sqlite from 'better-sqlite3'
import type { SessionId } from '../../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody, refuse } from '../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from './commands/command-envelope.ts'
import type { CommandRegistry } from './commands/command-registry.ts'
import { RecordedRefusal } from './commands/recorded-refusal.ts'
import { runIdempotent } from './commands/run-idempotent.ts'
import type { LoggedEvent } from './events/logged-event.ts'
import { query } from './query.ts'
import { type Actor, type Claims, WriterTransaction } from './transaction.ts'

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

export interface WriterOptions {
  commands: CommandRegistry
  /** Epoch milliseconds. */
  clock: () => number
  /** Whether a failed write means that the lease was lost. */
  isOnLiteFs: boolean
}

/** The lease was lost and the batch may or may not be committed, so none of its commands is answered. */
export class LeaseLostError extends Error {}

/** The only writer: runs commands in batches, a transaction per batch. A command that fails changes nothing. */
export class Writer {
  private readonly tx: WriterTransaction
  private readonly options: WriterOptions

  constructor(db: Sqlite.Database, options: WriterOptions) {
    this.tx = new WriterTransaction(db, options.commands.hooks)
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
      const results = this.runJobs(jobs, this.options.clock())
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

  /**
   * Runs the jobs without savepoints, which cost a tenth of a batch. If one fails after its first write, the batch is
   * rolled back and runs again with a savepoint for each. A RecordedRefusal is no failure.
   */
  private runJobs(jobs: WriteJob[], now: number): WriteResult[] {
    this.tx.begin(now)
    const results: WriteResult[] = []
    for (const job of jobs) {
      const { writeCount } = this.tx
      let outcome: object | null = null
      const result = this.runJob(job, () => (outcome = this.runCommand(job)))
      if (
        result.refusal &&
        !((outcome as object | null) instanceof RecordedRefusal) &&
        this.tx.writeCount > writeCount
      ) {
        this.tx.rollback()
        this.tx.begin(now)
        return jobs.map((each) => this.runJob(each, () => this.runInSavepoint(each)))
      }
      results.push(result)
    }
    return results
  }

  private runInSavepoint(job: WriteJob): object | Refusal {
    return this.tx.runInSavepoint(
      () => this.runCommand(job),
      (outcome) => !(outcome instanceof Refusal) || outcome instanceof RecordedRefusal,
    )
  }

  private runJob(job: WriteJob, run: () => object | Refusal): WriteResult {
    try {
      const result = run()
      return result instanceof Refusal ? { id: job.id, refusal: result.body } : { id: job.id, answer: result }
    } catch (error) {
      // SQLite rolls the transaction back by itself on some errors, for example on a full disk.
      if (!this.tx.isOpen() || isStorageFailure(error)) throw error
      return { id: job.id, refusal: refuse('Failed').body, errorStack: formatError(error) }
    }
  }

  private runCommand(job: WriteJob): object | Refusal {
    const { commands } = this.options
    const command = commands.byName.get(job.command)
    if (!command) return refuse('UnknownCommand') // a region with newer code may have sent it
    this.tx.keepsCachedRows = command.keepsCachedRows ?? false
    return runIdempotent(this.tx, commands.rowFinders, command, job, () => {
      const actor = job.actor && this.findActor(job.actor)
      return job.actor && !actor ? refuse('SessionEnded') : command.run(this.tx, actor, job.input)
    })
  }

  /** Reads the role from the row: the submitting region may have an outdated one. */
  private findActor({ userId, sessionId }: Claims): Actor | null {
    const found = this.tx.cached.get(findSessionRole, { sessionId })
    return found?.role && found.userId === userId ? { userId, sessionId, role: found.role } : null
  }
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
  return error instanceof Error && 'code' in error && /^SQLITE_(IOERR|READONLY)/.test(String(error.code))
}

/** The stacks of an error and its causes. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${formatError(error.cause)}`
}
