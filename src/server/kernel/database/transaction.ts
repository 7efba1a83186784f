import type Sqlite from 'better-sqlite3'
import type { Role } from '../../../shared/accounts/protocol.ts'
import type { EventPayload, LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import { encode } from '../../../shared/protocol/frame.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { Hook, HookHandler } from './commands/define-hooks.ts'
import { audienceOfActor } from './events/actor-audience.ts'
import { eventsAfter, insertEvent, lastUsedSeq } from './events/events.ts'
import type { LoggedEvent } from './events/logged-event.ts'
import type { Audience, Stream } from './events/streams.ts'
import type { Query } from './query.ts'
import { bindParams, DatabaseReader, type Reader } from './read.ts'
import { RowCache } from './row-cache.ts'

/** User and session of a verified token. The writer checks that the session still exists. */
export interface Claims {
  userId: UserId
  sessionId: SessionId
  /** The number of the session's key in the token; 0 when absent. */
  key?: number
}

/** The user who acts, read from the session's row and never from a client's input. */
export interface Actor extends Claims {
  role: Role
}

/**
 * An event to append to the log. `audience` narrows the stream: see live/visibility.ts. Without the field it is
 * that of the actor, so that what a ghost-banned user does reaches nobody else; null is everybody.
 */
export interface Emission<N extends LoggedEventName> {
  stream: Stream
  name: N
  payload: EventPayload<N>
  actorId?: UserId
  audience?: Audience | null
}

/** A command's access to the database: reads within its transaction, and the only writes. */
export interface Transaction extends Reader {
  /** Epoch milliseconds, the same for every command of a batch. */
  readonly now: number
  /** Reads rows that rarely change: from memory, unless something was written that may have changed them. */
  readonly cached: Pick<RowCache, 'get' | 'set'>
  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]): { changes: number; lastId: number }
  /** Appends an event to the log and returns its `seq`. */
  emit<N extends LoggedEventName>(emission: Emission<N>): number
  /** Runs every feature's handler of this hook in this transaction. */
  runHooks<I>(hook: Hook<I>, input: I): void
}

/** The writer's transaction, one per batch. */
export class WriterTransaction extends DatabaseReader implements Transaction {
  now = 0
  /** Statements that were run to write, since the start. */
  writeCount = 0
  readonly cached = new RowCache(this)
  /** Whether writes leave the cached rows valid; set for each command from its metadata. */
  keepsCachedRows = false
  private lastSeq: number
  /** Events up to this number are committed, and `commit` has returned them. */
  private lastCommittedSeq: number
  private pendingEvents: LoggedEvent[] = []
  private lastDataVersion = 0
  private readonly hooks: readonly HookHandler[]

  /** @param hooks handlers of all features; empty where no commands run */
  constructor(db: Sqlite.Database, hooks: readonly HookHandler[] = []) {
    super(db)
    this.hooks = hooks
    this.lastSeq = lastUsedSeq(this)
    this.lastCommittedSeq = this.lastSeq
  }

  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]) {
    this.writeCount++
    if (!this.keepsCachedRows) this.cached.clear()
    const { changes, lastInsertRowid } = this.statements.prepare(query.sql).run(...bindParams(query, args))
    return { changes, lastId: Number(lastInsertRowid) }
  }

  emit<N extends LoggedEventName>(emission: Emission<N>): number {
    const { actorId = null, audience } = emission
    const row: LoggedEvent = {
      seq: ++this.lastSeq,
      stream: emission.stream,
      actorId,
      audience: audience === undefined ? audienceOfActor(this.cached, actorId) : audience,
      name: emission.name,
      payload: encode(emission.payload),
    }
    this.run(insertEvent, { ...row, at: this.now })
    this.pendingEvents.push(row)
    return row.seq
  }

  runHooks<I>(hook: Hook<I>, input: I): void {
    for (const handler of this.hooks) if (handler.hook === hook) handler.run(this, input as never) // that of its hook
  }

  /** The highest committed number, used or skipped. */
  committedSeq(): number {
    return this.lastCommittedSeq
  }

  begin(now: number): void {
    this.now = now
    this.statements.prepare('begin immediate').run()
    this.clearCacheIfOthersWrote()
    // Another process may have written: `npm run admin` on a live site. Its events are returned with this batch.
    const last = lastUsedSeq(this)
    if (last > this.lastCommittedSeq) this.pendingEvents = this.all(eventsAfter, { seq: this.lastCommittedSeq })
    this.lastSeq = last
  }

  /** Commits and returns the events that became durable, in order. */
  commit(): LoggedEvent[] {
    this.statements.prepare('commit').run()
    const events = this.pendingEvents
    this.pendingEvents = []
    this.lastCommittedSeq = this.lastSeq
    return events
  }

  rollback(): void {
    if (this.isOpen()) this.statements.prepare('rollback').run()
    this.pendingEvents = []
    this.lastSeq = this.lastCommittedSeq
    this.cached.clear()
  }

  private clearCacheIfOthersWrote(): void {
    const version = this.dataVersion()
    if (version !== this.lastDataVersion) this.cached.clear()
    this.lastDataVersion = version
  }

  /** False after SQLite has rolled back the transaction by itself. */
  isOpen(): boolean {
    return this.statements.db.inTransaction
  }

  /** Runs one command in a savepoint, which is rolled back when `shouldKeep` is false or the command throws. */
  runInSavepoint<T>(command: () => T, shouldKeep: (result: T) => boolean): T {
    const { lastSeq, pendingEvents } = this
    const eventCount = pendingEvents.length
    const rollbackCommand = () => {
      // Without a transaction the next savepoint would start one and commit on release.
      if (!this.isOpen()) return
      this.statements.prepare('rollback to command').run()
      this.statements.prepare('release command').run()
      this.cached.clear()
      this.lastSeq = lastSeq
      pendingEvents.length = eventCount
    }
    this.statements.prepare('savepoint command').run()
    try {
      const result = command()
      if (shouldKeep(result)) this.statements.prepare('release command').run()
      else rollbackCommand()
      return result
    } catch (error) {
      rollbackCommand()
      throw error
    }
  }
}
