import type { LoggedEvent } from '../database/events.ts'
import { isHeldUp } from '../database/held-up.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Publisher } from '../live/publish.ts'

/** Read at once: a snapshot may bring far more, and sockets are not to wait for all of it. */
const CHUNK = 500
/** What could not be read, because LiteFS held the file, is read after this. */
const AGAIN_MS = 250

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
const leapAt = query<{ seq: number }>()((db, p) =>
  db.selectFrom('eventGap').select('toSeq').where('fromSeq', '=', p('seq')),
)

/** What the log says after the publisher's cursor; or that it is another log than the one that was told from. */
type Found = { fresh: LoggedEvent[] } | { last: LoggedEvent | null }

/**
 * Tells the region's connections what the log says, whoever wrote it there: each event once, in order. The event that
 * was told last is looked for at every reading. Where it is not in the log, it was lost with a former primary, or the
 * log was trimmed beyond it: then numbers do not tell what was told, and everybody comes anew.
 */
export class FollowLog {
  private readonly read: Reader
  private readonly publisher: Publisher
  private readonly onStartOver: (lostSeq: number) => void
  /** The event at the publisher's cursor before anything was told. */
  private readonly first: LoggedEvent | null
  private continuing: NodeJS.Immediate | NodeJS.Timeout | null = null

  /** @param onStartOver called after everybody was sent away, with the number of the event that was told last */
  constructor(read: Reader, publisher: Publisher, onStartOver: (lostSeq: number) => void = () => {}) {
    this.read = read
    this.publisher = publisher
    this.onStartOver = onStartOver
    this.first = read.all(eventsFrom, { seq: publisher.cursor(), limit: 1 })[0] ?? null
  }

  /** The log may have grown: tells what is new. Answers how many events it told at once; of a bulk, the rest follows. */
  follow(): number {
    if (this.continuing) return 0
    const told = this.step()
    if (told === CHUNK) {
      this.continuing = setImmediate(() => {
        this.continuing = null
        this.goOn()
      })
    }
    return told
  }

  /** What cannot be read now is told with the next transaction, or a little later. */
  private goOn(): void {
    try {
      this.follow()
    } catch (error) {
      if (!isHeldUp(error)) throw error
      this.continuing = setTimeout(() => {
        this.continuing = null
        this.goOn()
      }, AGAIN_MS)
    }
  }

  /** Tells what this region's own writer has committed; what others wrote before, and nobody told yet, goes first. */
  tell(rows: LoggedEvent[]): void {
    // Numbers have holes where a reign begins, and nowhere else.
    const [next] = rows
    if (next && next.seq > this.publisher.cursor() + 1) this.finish()
    this.publisher.publish(rows)
  }

  /** As `follow`, to the very end at once. */
  finish(): void {
    while (this.step() === CHUNK);
  }

  close(): void {
    // Each of them clears what is its own, and nothing else.
    clearImmediate(this.continuing as NodeJS.Immediate)
    clearTimeout(this.continuing as NodeJS.Timeout)
  }

  private step(): number {
    const cursor = this.publisher.cursor()
    const told = this.publisher.last() ?? this.first
    const found = this.read.snapshot((reader) => look(reader, cursor, told))
    if ('fresh' in found) {
      this.publisher.publish(found.fresh)
      return found.fresh.length
    }
    this.publisher.startOver(found.last)
    this.onStartOver(cursor)
    return 0
  }
}

/** One short look: on a replica, nothing arrives while a read transaction is open. */
function look(reader: Reader, cursor: number, told: LoggedEvent | null): Found {
  const rows = reader.all(eventsFrom, { seq: cursor, limit: CHUNK + 1 })
  const [at] = rows
  if (told && at && isSame(told, at)) return { fresh: rows.slice(1) }
  return goesOn(reader, cursor) ? { fresh: rows.slice(0, CHUNK) } : { last: reader.get(lastEvent) ?? null }
}

/** Whether a log in which the last told event is not to be found was only trimmed, and nothing after it is missing. */
function goesOn(reader: Reader, cursor: number): boolean {
  const first = reader.get(firstSeq)?.seq ?? null
  if (first === null) return cursor === 0
  // From reign to reign, where nothing was written in between.
  let next = cursor + 1
  while (next < first) {
    const leapt = reader.get(leapAt, { seq: next })
    if (!leapt) return false
    next = leapt.toSeq + 1
  }
  return next === first
}

/** Two histories can have the same numbers; that they also have the same content there is as good as impossible. */
function isSame(a: LoggedEvent, b: LoggedEvent): boolean {
  return (
    a.seq === b.seq &&
    a.stream === b.stream &&
    a.actorId === b.actorId &&
    a.audience === b.audience &&
    a.name === b.name &&
    Buffer.compare(a.payload, b.payload) === 0
  )
}
