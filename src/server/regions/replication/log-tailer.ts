import type { LoggedEvent } from '../../database/events.ts'
import { query } from '../../database/query.ts'
import type { Reader } from '../../database/read.ts'
import { isSqliteBusy } from '../../database/sqlite-busy.ts'
import type { Publisher } from '../../live/publisher.ts'

/** Read at once: a snapshot may bring far more, and sockets are not to wait for all of it. */
const CHUNK_EVENTS = 500
/** What could not be read, because LiteFS held the file, is read after this. */
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

/** What the log says after the publisher's cursor; or that it is another log than the one that was told from. */
type TailResult = { newEvents: LoggedEvent[] } | { lastEvent: LoggedEvent | null }

/**
 * Tells the region's connections what the log says, whoever wrote it there: each event once, in order. The event that
 * was told last is looked for at every reading. Where it is not in the log, it was lost with a former primary, or the
 * log was trimmed beyond it: then numbers do not tell what was told, and everybody comes anew.
 */
export class LogTailer {
  private readonly reader: Reader
  private readonly publisher: Publisher
  private readonly onResync: (lostSeq: number) => void
  /** The event at the publisher's cursor before anything was told. */
  private readonly initialEvent: LoggedEvent | null
  private continuation: NodeJS.Immediate | NodeJS.Timeout | null = null

  /** @param onStartOver called after everybody was sent away, with the number of the event that was told last */
  constructor(read: Reader, publisher: Publisher, onStartOver: (lostSeq: number) => void = () => {}) {
    this.reader = read
    this.publisher = publisher
    this.onResync = onStartOver
    this.initialEvent = read.all(eventsFrom, { seq: publisher.cursor(), limit: 1 })[0] ?? null
  }

  /** The log may have grown: tells what is new. Answers how many events it told at once; of a bulk, the rest follows. */
  publishNew(): number {
    if (this.continuation) return 0
    const told = this.publishChunk()
    if (told === CHUNK_EVENTS) {
      this.continuation = setImmediate(() => {
        this.continuation = null
        this.continueTailing()
      })
    }
    return told
  }

  /** What cannot be read now is told with the next transaction, or a little later. */
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

  /** Tells what this region's own writer has committed; what others wrote before, and nobody told yet, goes first. */
  publishCommitted(rows: LoggedEvent[]): void {
    // Numbers have holes where a reign begins, and nowhere else.
    const [next] = rows
    if (next && next.seq > this.publisher.cursor() + 1) this.publishToEnd()
    this.publisher.publish(rows)
  }

  /** As `follow`, to the very end at once. */
  publishToEnd(): void {
    while (this.publishChunk() === CHUNK_EVENTS);
  }

  close(): void {
    // Each of them clears what is its own, and nothing else.
    clearImmediate(this.continuation as NodeJS.Immediate)
    clearTimeout(this.continuation as NodeJS.Timeout)
  }

  private publishChunk(): number {
    const cursor = this.publisher.cursor()
    const told = this.publisher.latestEvent() ?? this.initialEvent
    const found = this.reader.snapshot((reader) => readChunk(reader, cursor, told))
    if ('newEvents' in found) {
      this.publisher.publish(found.newEvents)
      return found.newEvents.length
    }
    this.publisher.resetTo(found.lastEvent)
    this.onResync(cursor)
    return 0
  }
}

/** One short look: on a replica, nothing arrives while a read transaction is open. */
function readChunk(reader: Reader, cursor: number, told: LoggedEvent | null): TailResult {
  const rows = reader.all(eventsFrom, { seq: cursor, limit: CHUNK_EVENTS + 1 })
  const [at] = rows
  if (told && at && isSameEvent(told, at)) return { newEvents: rows.slice(1) }
  return isContinuation(reader, cursor)
    ? { newEvents: rows.slice(0, CHUNK_EVENTS) }
    : { lastEvent: reader.get(lastEvent) ?? null }
}

/** Whether a log in which the last told event is not to be found was only trimmed, and nothing after it is missing. */
function isContinuation(reader: Reader, cursor: number): boolean {
  const first = reader.get(firstSeq)?.seq ?? null
  if (first === null) return cursor === 0
  // From reign to reign, where nothing was written in between.
  let next = cursor + 1
  while (next < first) {
    const leapt = reader.get(gapStartingAt, { seq: next })
    if (!leapt) return false
    next = leapt.toSeq + 1
  }
  return next === first
}

/** Two histories can have the same numbers; that they also have the same content there is as good as impossible. */
function isSameEvent(a: LoggedEvent, b: LoggedEvent): boolean {
  return (
    a.seq === b.seq &&
    a.stream === b.stream &&
    a.actorId === b.actorId &&
    a.audience === b.audience &&
    a.name === b.name &&
    Buffer.compare(a.payload, b.payload) === 0
  )
}
