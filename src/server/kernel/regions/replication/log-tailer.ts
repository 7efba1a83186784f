import { isSameEvent, type LoggedEvent } from '../../database/events/logged-event.ts'
import { query } from '../../database/query.ts'
import type { Reader } from '../../database/read.ts'
import { isSqliteBusy } from '../../database/sqlite-busy.ts'
import type { Publisher } from '../../live/publisher.ts'

/** Events read in one turn of the event loop: a snapshot may bring far more, and sockets must not wait for all of them. */
const CHUNK_EVENTS = 500
/** Retry of a read that failed because LiteFS held the file. */
const READ_RETRY_MS = 250

const eventsFrom = query<{ seq: number; limit: number }>()((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'stream', 'actorId', 'audience', 'name', 'payload'])
    .where('seq', '>=', p('seq'))
    .orderBy('seq')
    .limit(p('limit')),
)
const lastEvent = query()((db) =>
  db
    .selectFrom('event')
    .select(['seq', 'stream', 'actorId', 'audience', 'name', 'payload'])
    .orderBy('seq', 'desc')
    .limit(1),
)
const firstSeq = query()((db) => db.selectFrom('event').select((eb) => eb.fn.min<number | null>('seq').as('seq')))
const gapStartingAt = query<{ seq: number }>()((db, p) =>
  db.selectFrom('eventGap').select('toSeq').where('fromSeq', '=', p('seq')),
)

/** The events after the publisher's cursor; or, when the log is not the one published from, its last event. */
type TailResult = { newEvents: LoggedEvent[] } | { lastEvent: LoggedEvent | null }

/**
 * Publishes new rows of the event log to the region's connections, each once and in order, on the primary and on
 * replicas. Each read checks that the last published event is still in the log. If it is not, it was lost with a former
 * primary or trimmed: sequence numbers then prove nothing, and every connection resyncs.
 */
export class LogTailer {
  private readonly reader: Reader
  private readonly publisher: Publisher
  private readonly onResync: (lostSeq: number) => void
  /** The event at the publisher's cursor before the first publication. */
  private readonly initialEvent: LoggedEvent | null
  private continuation: NodeJS.Immediate | NodeJS.Timeout | null = null

  /** @param onResync called after every connection was told to resync, with the `seq` of the last published event */
  constructor(reader: Reader, publisher: Publisher, onResync: (lostSeq: number) => void = () => {}) {
    this.reader = reader
    this.publisher = publisher
    this.onResync = onResync
    this.initialEvent = reader.all(eventsFrom, { seq: publisher.cursor(), limit: 1 })[0] ?? null
  }

  /** Publishes new rows. Returns how many were published now; more than CHUNK_EVENTS follow in later turns of the loop. */
  publishNew(): number {
    if (this.continuation) return 0
    const published = this.publishChunk()
    if (published === CHUNK_EVENTS) {
      this.continuation = setImmediate(() => {
        this.continuation = null
        this.continueTailing()
      })
    }
    return published
  }

  /** A busy file is read again with the next transaction, or after READ_RETRY_MS. */
  private continueTailing(): void {
    try {
      this.publishNew()
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
      this.continuation = setTimeout(() => {
        this.continuation = null
        this.continueTailing()
      }, READ_RETRY_MS)
    }
  }

  /** Publishes a commit of this region's writer, after unpublished rows that other regions wrote before. */
  readonly publishCommitted = (rows: LoggedEvent[]): void => {
    // Sequence numbers have gaps only at the start of a term.
    const [next] = rows
    if (next && next.seq > this.publisher.cursor() + 1) this.publishToEnd()
    this.publisher.publish(rows)
  }

  /** Publishes all new rows in this turn of the event loop. */
  publishToEnd(): void {
    while (this.publishChunk() === CHUNK_EVENTS);
  }

  close(): void {
    // The continuation is one of the two; clearing the other kind is a no-op.
    clearImmediate(this.continuation as NodeJS.Immediate)
    clearTimeout(this.continuation as NodeJS.Timeout)
  }

  private publishChunk(): number {
    const cursor = this.publisher.cursor()
    const published = this.publisher.latestEvent() ?? this.initialEvent
    const result = this.reader.snapshot((reader) => readChunk(reader, cursor, published))
    if ('newEvents' in result) {
      this.publisher.publish(result.newEvents)
      return result.newEvents.length
    }
    this.publisher.resetTo(result.lastEvent)
    this.onResync(cursor)
    return 0
  }
}

/** One short read: a replica receives nothing while a read transaction is open. */
function readChunk(reader: Reader, cursor: number, lastPublished: LoggedEvent | null): TailResult {
  const rows = reader.all(eventsFrom, { seq: cursor, limit: CHUNK_EVENTS + 1 })
  const [first] = rows
  if (lastPublished && first && isSameEvent(lastPublished, first)) return { newEvents: rows.slice(1) }
  return isContinuation(reader, cursor)
    ? { newEvents: rows.slice(0, CHUNK_EVENTS) }
    : { lastEvent: reader.get(lastEvent) ?? null }
}

/** Whether a log without the last published event was only trimmed, and has every event after it. */
function isContinuation(reader: Reader, cursor: number): boolean {
  const first = reader.get(firstSeq)?.seq ?? null
  if (first === null) return cursor === 0
  // Terms without events leave adjacent gaps.
  let next = cursor + 1
  while (next < first) {
    const gap = reader.get(gapStartingAt, { seq: next })
    if (!gap) return false
    next = gap.toSeq + 1
  }
  return next === first
}
