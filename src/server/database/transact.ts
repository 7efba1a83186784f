import type Sqlite from 'better-sqlite3'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { EventName, EventPayload } from '../../shared/protocol/catalogue.ts'
import { encode } from '../../shared/protocol/frame.ts'
import { eventsAfter, insertEvent, type LoggedEvent, lastUsedSeq } from './events.ts'
import type { Query } from './query.ts'
import { bound, DatabaseReader, type Reader } from './read.ts'

/** Whose session speaks, as a token says. Whether that still holds, the rows say. */
export interface Claims {
  userId: number
  sessionId: number
}

/** Who acts: taken from the session, never from what a client says. */
export interface Actor extends Claims {
  role: Role
}

/** What only the region of the actor can know, measured there as durations: no two clocks agree. */
export interface Moment {
  /** How long the actor has been in the room that the command is about; null when not in it. */
  inRoomForMs: number | null
}

/** Whatever other people must learn. `audience` narrows the stream: see live/visibility.ts. */
export interface Emission<N extends EventName> {
  stream: string
  name: N
  payload: EventPayload<N>
  actorId?: number
  audience?: string
}

/** What a command works with: the read door of its own transaction, and the only way to change anything. */
export interface Transaction extends Reader {
  /** Epoch milliseconds, the same for every command of a batch. */
  readonly now: number
  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]): { changes: number; lastId: number }
  /** Appends to the event log and answers its `seq`. */
  emit<N extends EventName>(emission: Emission<N>): number
}

/** The writer's transaction: one a batch, a savepoint a command. */
export class WriterTransaction extends DatabaseReader implements Transaction {
  now = 0
  private seq: number
  /** Events up to here are committed and handed over. */
  private handedOver: number
  private emitted: LoggedEvent[] = []

  constructor(db: Sqlite.Database) {
    super(db)
    this.seq = lastUsedSeq(this)
    this.handedOver = this.seq
  }

  run<P, R>(query: Query<P, R>, ...args: keyof P extends never ? [] : [params: P]) {
    const done = this.statements.for(query.sql).run(...bound(query, args))
    return { changes: done.changes, lastId: Number(done.lastInsertRowid) }
  }

  emit<N extends EventName>(emission: Emission<N>): number {
    const row: LoggedEvent = {
      seq: ++this.seq,
      stream: emission.stream,
      actorId: emission.actorId ?? null,
      audience: emission.audience ?? null,
      name: emission.name,
      payload: encode(emission.payload),
    }
    this.run(insertEvent, { ...row, at: this.now })
    this.emitted.push(row)
    return row.seq
  }

  /** The last number of what is committed: the highest that was used or leapt over. */
  committedSeq(): number {
    return this.handedOver
  }

  begin(now: number): void {
    this.now = now
    this.statements.for('begin immediate').run()
    // Another process may have written: `npm run admin` on a live site. Its events go out with this batch.
    const last = lastUsedSeq(this)
    if (last > this.handedOver) this.emitted = this.all(eventsAfter, { seq: this.handedOver })
    this.seq = last
  }

  /** Commits and hands over the events that became durable, in order. */
  commit(): LoggedEvent[] {
    this.statements.for('commit').run()
    const events = this.emitted
    this.emitted = []
    this.handedOver = this.seq
    return events
  }

  rollback(): void {
    if (this.statements.db.inTransaction) this.statements.for('rollback').run()
    this.emitted = []
    this.seq = this.handedOver
  }

  /**
   * Runs one command in a savepoint; when `keep` says no or it throws, nothing of it stays. Throws a TransactionLost
   * when SQLite gave the whole batch up, as it does when the disk is full.
   */
  attempt<T>(work: () => T, keep: (result: T) => boolean): T {
    const { seq, emitted } = this
    const before = emitted.length
    const undo = () => {
      // Without a transaction the next savepoint would be one of its own, and commit by itself.
      if (!this.statements.db.inTransaction) return
      this.statements.for('rollback to command').run()
      this.statements.for('release command').run()
      this.seq = seq
      emitted.length = before
    }
    this.statements.for('savepoint command').run()
    try {
      const result = work()
      if (keep(result)) this.statements.for('release command').run()
      else undo()
      return result
    } catch (error) {
      undo()
      throw this.statements.db.inTransaction
        ? error
        : new TransactionLost('the batch was rolled back', { cause: error })
    }
  }
}

/** SQLite ended the transaction by itself: nothing of the batch stays. */
export class TransactionLost extends Error {}
