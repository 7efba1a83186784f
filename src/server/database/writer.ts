import { hash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import { Refusal, type RefusalBody, refuse } from '../../shared/protocol/refusals.ts'
import { answersKeptForever, type WriteCommandName, writeCommands } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import { query } from './query.ts'
import { type Actor, type Moment, type Transaction, TransactionLost, WriterTransaction } from './transact.ts'

/** One command that waits for the writer. `id` is the region's own, to find who asked. */
export interface Job {
  id: number
  command: WriteCommandName
  actor: Actor | null
  input: object
  clientId: string | null
  moment: Moment
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

/** The only writer: runs commands in batches, one transaction each, one savepoint a command. */
export class Writer {
  private readonly tx: WriterTransaction
  private readonly clock: () => number

  constructor(db: Sqlite.Database, clock: () => number = Date.now) {
    this.tx = new WriterTransaction(db)
    this.clock = clock
  }

  /** Answers are released only after the commit; when that fails, nobody is told that anything was done. */
  run(jobs: Job[]): BatchResult {
    const started = performance.now()
    try {
      this.tx.begin(this.clock())
      const done = jobs.map((job) => this.attempt(job))
      return { done, events: this.tx.commit(), tookMs: performance.now() - started }
    } catch (error) {
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

  /** The same clientId of the same person has one effect and gets the same answer. */
  private once(job: Job): object | Refusal {
    const { actor, clientId, input } = job
    const command = writeCommands[job.command] as Run // execute() typed the input by the command's name
    const run = () => command(this.tx, actor, input, job.moment)
    if (!actor || !clientId) return run()
    const inputHash = hash('sha256', JSON.stringify([job.command, input]), 'buffer')
    const stored = this.tx.get(storedAnswer, { userId: actor.userId, clientId })
    if (stored)
      return inputHash.equals(stored.inputHash) ? (JSON.parse(stored.answer) as object) : refuse('ClientIdReused')
    const answer = run()
    if (answer instanceof Refusal) return answer
    const expiresAt = answersKeptForever.has(job.command) ? null : this.tx.now + ANSWER_KEPT_MS
    this.tx.run(storeAnswer, { userId: actor.userId, clientId, inputHash, answer: JSON.stringify(answer), expiresAt })
    return answer
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

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
