import type Sqlite from 'better-sqlite3'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { EventPayload, LoggedEventName } from '../../shared/protocol/catalogue.ts'
import { encode } from '../../shared/protocol/frame.ts'
import type { SessionId, UserId } from '../../shared/protocol/ids.ts'
import type { HookHandlers, HookName, TransactionHooks } from './define-hooks.ts'
import { eventsAfter, insertEvent, type LoggedEvent, lastUsedSeq } from './events.ts'
import type { Query } from './query.ts'
import { bindParams, DatabaseReader, type Reader } from './read.ts'
import type { Audience, Stream } from './streams.ts'

/** Whose session speaks, as a token says. Whether that still holds, the rows say. */
export interface Claims {
  userId: UserId
  sessionId: SessionId
}

/** Who acts: taken from the session, never from what a client says. */
export interface Actor extends Claims {
  role: Role
}

/** An event to append to the log. `audience` narrows the stream: see live/visibility.ts. */
export interface Emission<N extends LoggedEventName> {
  stream: Stream
  name: N
  payload: EventPayload<N>
  actorId?: UserId
  audience?: Audience
}

/** What a command works with: the read door of its own transaction, and the only way to change anything. */
export interface Transaction extends Reader {
  /** Epoch milliseconds, the same for every command of a batch. */
  readonly now: number
  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]): { changes: number; lastId: number }
  /** Appends to the event log and answers its `seq`. */
  emit<N extends LoggedEventName>(emission: Emission<N>): number
  /** Lets every feature that fills this hook act in this transaction. */
  runHooks<N extends HookName>(name: N, input: TransactionHooks[N]): void
}

/** The writer's transaction: one a batch, a savepoint a command. */
export class WriterTransaction extends DatabaseReader implements Transaction {
  now = 0
  private lastSeq: number
  /** Events up to here are committed and handed over. */
  private lastCommittedSeq: number
  private pendingEvents: LoggedEvent[] = []
  private readonly hooks: readonly HookHandlers[]

  /** @param hooks of all features (hook-registry.ts), where commands run in it */
  constructor(db: Sqlite.Database, hooks: readonly HookHandlers[] = []) {
    super(db)
    this.hooks = hooks
    this.lastSeq = lastUsedSeq(this)
    this.lastCommittedSeq = this.lastSeq
  }

  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]) {
    const done = this.statements.prepare(query.sql).run(...bindParams(query, args))
    return { changes: done.changes, lastId: Number(done.lastInsertRowid) }
  }

  emit<N extends LoggedEventName>(emission: Emission<N>): number {
    const row: LoggedEvent = {
      seq: ++this.lastSeq,
      stream: emission.stream,
      actorId: emission.actorId ?? null,
      audience: emission.audience ?? null,
      name: emission.name,
      payload: encode(emission.payload),
    }
    this.run(insertEvent, { ...row, at: this.now })
    this.pendingEvents.push(row)
    return row.seq
  }

  runHooks<N extends HookName>(name: N, input: TransactionHooks[N]): void {
    for (const feature of this.hooks) feature[name]?.(this, input)
  }

  /** The last number of what is committed: the highest that was used or leapt over. */
  committedSeq(): number {
    return this.lastCommittedSeq
  }

  begin(now: number): void {
    this.now = now
    this.statements.prepare('begin immediate').run()
    // Another process may have written: `npm run admin` on a live site. Its events go out with this batch.
    const last = lastUsedSeq(this)
    if (last > this.lastCommittedSeq) this.pendingEvents = this.all(eventsAfter, { seq: this.lastCommittedSeq })
    this.lastSeq = last
  }

  /** Commits and hands over the events that became durable, in order. */
  commit(): LoggedEvent[] {
    this.statements.prepare('commit').run()
    const events = this.pendingEvents
    this.pendingEvents = []
    this.lastCommittedSeq = this.lastSeq
    return events
  }

  rollback(): void {
    if (this.statements.db.inTransaction) this.statements.prepare('rollback').run()
    this.pendingEvents = []
    this.lastSeq = this.lastCommittedSeq
  }

  /**
   * Runs one command in a savepoint; when `keep` says no or it throws, nothing of it stays. Throws a TransactionLost
   * when SQLite gave the whole batch up, as it does when the disk is full.
   */
  runInSavepoint<T>(work: () => T, keep: (result: T) => boolean): T {
    const { lastSeq, pendingEvents } = this
    const before = pendingEvents.length
    const undo = () => {
      // Without a transaction the next savepoint would be one of its own, and commit by itself.
      if (!this.statements.db.inTransaction) return
      this.statements.prepare('rollback to command').run()
      this.statements.prepare('release command').run()
      this.lastSeq = lastSeq
      pendingEvents.length = before
    }
    this.statements.prepare('savepoint command').run()
    try {
      const result = work()
      if (keep(result)) this.statements.prepare('release command').run()
      else undo()
      return result
    } catch (error) {
      undo()
      throw this.statements.db.inTransaction
        ? error
        : new TransactionAborted('the batch was rolled back', { cause: error })
    }
  }
}

/** SQLite ended the transaction by itself: nothing of the batch stays. */
export class TransactionAborted extends Error {}
