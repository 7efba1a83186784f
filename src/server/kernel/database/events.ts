import { decode } from '@msgpack/msgpack'
import { sql } from 'kysely'
import type { EventPayload, LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import { events } from '../../../shared/protocol/catalogue.ts'
import type { EventSpec, LoggedEventSpec } from '../../../shared/protocol/define.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { defineWrite } from './define-write.ts'
import { query } from './query.ts'
import type { Reader } from './read.ts'
import type { RecentEvents } from './recent-events.ts'
import type { KernelTables } from './schema.ts'
import type { Audience, Stream } from './streams.ts'
import type { Transaction } from './transact.ts'

/** A row of the event log, with the columns that fan-out and replay need; `payload` is MessagePack. */
export interface LoggedEvent<N extends LoggedEventName = LoggedEventName> {
  seq: number
  stream: Stream
  actorId: UserId | null
  audience: Audience | null
  name: N
  payload: Uint8Array
}

/** Numbers that `seq` skips at every promotion and restore, so that no number is used twice. */
export const SEQ_SKIP = 2 ** 20
/** A cursor that is this many numbers behind gets a resync: a replay reads the log from the cursor on. */
const MAX_REPLAY_DISTANCE = 5_000
/** A client that missed more events or bytes than this gets a resync instead of a replay. */
const MAX_REPLAY_EVENTS = 1000
const MAX_REPLAY_BYTES = 256 * 1024
const EVENT_RETENTION_MS = 24 * 60 * 60 * 1000
const MAX_EVENT_ROWS = 1_000_000
const TRIM_BATCH_ROWS = 500
/** Gaps outlive the events around them: a former primary finds its lost events by them, also after days. */
const MAX_GAP_ROWS = 1000

export const insertEvent = query<KernelTables['event']>()((db, p) =>
  db.insertInto('event').values({
    seq: p('seq'),
    stream: p('stream'),
    actorId: p('actorId'),
    audience: p('audience'),
    name: p('name'),
    payload: p('payload'),
    at: p('at'),
  }),
)

const seqBounds = query()((db) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('event')
      .select((e) => e.fn.min<number | null>('seq').as('seq'))
      .as('first'),
    eb
      .selectFrom('event')
      .select((e) => e.fn.max<number | null>('seq').as('seq'))
      .as('last'),
    eb
      .selectFrom('eventGap')
      .select((e) => e.fn.max<number | null>('toSeq').as('seq'))
      .as('skipped'),
  ]),
)
const gapAtOrBelow = query<{ seq: number }>()((db, p) =>
  db.selectFrom('eventGap').select('toSeq').where('fromSeq', '<=', p('seq')).orderBy('fromSeq', 'desc').limit(1),
)
const countSkippedAfter = query<{ seq: number }>()((db, p) =>
  db
    .selectFrom('eventGap')
    .select((eb) => eb.fn.sum<number | null>(sql`toSeq - fromSeq + 1`).as('numbers'))
    .where('fromSeq', '>', p('seq')),
)
const insertGap = query<{ fromSeq: number; toSeq: number }>()((db, p) =>
  db.insertInto('eventGap').values({ fromSeq: p('fromSeq'), toSeq: p('toSeq') }),
)
const streamEventsAfter = query<{ cursor: number; streams: string; limit: number }>()((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'stream', 'actorId', 'audience', 'name', 'payload'])
    .where('seq', '>', p('cursor'))
    .where((eb) => {
      const wanted = sql<Stream>`(select value from json_each(${p('streams')}))`
      // A name has no space; two joined ones have one between them.
      const parts = [sql`substr(stream, 1, instr(stream, ' ') - 1)`, sql`substr(stream, instr(stream, ' ') + 1)`]
      const isJoined = eb(sql`instr(stream, ' ')`, '>', 0)
      return eb.or([eb('stream', 'in', wanted), isJoined.and(eb.or(parts.map((part) => eb(part, 'in', wanted))))])
    })
    .orderBy('seq')
    .limit(p('limit')),
)
const eventBySeq = query<{ seq: number }>()((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'stream', 'actorId', 'audience', 'name', 'payload'])
    .where('seq', '=', p('seq')),
)
export const eventsAfter = query<{ seq: number }>()((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'stream', 'actorId', 'audience', 'name', 'payload'])
    .where('seq', '>', p('seq'))
    .orderBy('seq'),
)
const deleteOldEvents = query<{ before: number; belowSeq: number; limit: number }>()((db, p) =>
  db.deleteFrom('event').where(
    'seq',
    'in',
    db
      .selectFrom('event')
      .select('seq')
      .where((eb) => eb.or([eb('at', '<', p('before')), eb('seq', '<', p('belowSeq'))]))
      // The last row stays, so that no number is used twice.
      .where(
        'seq',
        '<',
        db.selectFrom('event').select((eb) => eb.fn.max<number>('seq').as('last')),
      )
      .orderBy('seq')
      .limit(p('limit')),
  ),
)
const countSkippedSeqs = query()((db) =>
  db
    .selectFrom('eventGap')
    .select((eb) => eb.fn.sum<number | null>(sql`toSeq - fromSeq + 1`).as('numbers'))
    .where(
      'toSeq',
      '>=',
      db.selectFrom('event').select((eb) => eb.fn.min<number>('seq').as('first')),
    ),
)
const deleteOldGaps = query<{ maxRows: number }>()((db, p) =>
  db
    .deleteFrom('eventGap')
    .where(
      'fromSeq',
      '<=',
      db.selectFrom('eventGap').select('fromSeq').orderBy('fromSeq', 'desc').limit(1).offset(p('maxRows')),
    ),
)
const deleteExpiredAnswers = query<{ now: number; limit: number }>()((db, p) =>
  db
    .deleteFrom('commandAnswer')
    .where((eb) =>
      eb(
        eb.refTuple('userId', 'clientId'),
        'in',
        db
          .selectFrom('commandAnswer')
          .select(['userId', 'clientId'])
          .where('expiresAt', '<', p('now'))
          .limit(p('limit'))
          .$asTuple('userId', 'clientId'),
      ),
    ),
)

/** The event's entry in the catalogue; undefined for an event that a newer version of the site wrote. */
export function specOfEvent(name: LoggedEventName): LoggedEventSpec | undefined {
  const spec: EventSpec | undefined = events[name]
  return spec?.isLogged ? spec : undefined
}

/** Names of retraction events: earlier events may show what they retract, so a replay never crosses one. */
export const retractionEvents = (Object.keys(events) as LoggedEventName[]).filter(
  // keys of the catalogue
  (name) => specOfEvent(name)?.effect === 'retracts',
)

export function isEvent<N extends LoggedEventName>(event: LoggedEvent, name: N): event is LoggedEvent<N> {
  return event.name === name
}

/** The payload of an event, decoded from MessagePack. */
export function decodeEventPayload<N extends LoggedEventName>({ payload }: LoggedEvent<N>): EventPayload<N> {
  return decode(payload) as EventPayload<N> // only `tx.emit` writes payloads, typed by the event's name
}

/** The highest `seq` that was ever used or skipped; 0 for an empty log. */
export function lastUsedSeq(reader: Reader): number {
  const row = reader.get(seqBounds)
  return Math.max(row?.last ?? 0, row?.skipped ?? 0)
}

/**
 * Skips numbers of `seq`, so that a cursor from lost history falls into a gap. Runs at every promotion and restore.
 * @param options `lostSeq`: the last number of the lost history, if it is known. Otherwise `atLeast` is a number above
 * any lost history, and `more` a random count that keeps two lost histories apart.
 */
export function skipSequence(
  tx: Transaction,
  { lostSeq = 0, atLeast = 0, more = 0 }: { lostSeq?: number; atLeast?: number; more?: number } = {},
): void {
  const last = lastUsedSeq(tx)
  tx.run(insertGap, { fromSeq: last + 1, toSeq: Math.max(Math.max(last, lostSeq) + SEQ_SKIP, atLeast) + more })
}

/**
 * Events of these streams after the cursor, oldest first; null when a replay is impossible and the client must resync:
 * the cursor is trimmed, in a gap, beyond the log or too far behind, the replay is too large, or it holds a retraction
 * event. Events that `isReceived` rejects neither appear nor count, also the retraction events among them. `recent` has the
 * events that this process has published; what it lacks is read from the log.
 */
export function eventsSince(
  reader: Reader,
  cursor: number,
  streams: Stream[],
  recent?: RecentEvents,
  isReceived: (event: LoggedEvent) => boolean = () => true,
): LoggedEvent[] | null {
  if (!isReplayable(reader, cursor)) return null
  const limit = MAX_REPLAY_EVENTS + 1
  const latest = recent?.latest
  const remembered =
    recent && latest && isInLog(reader, latest) ? recent.since(cursor, streams, limit, isReceived) : null
  const readAfter = remembered && latest ? Math.max(cursor, latest.seq) : cursor
  const rows = remembered ?? []
  readReceived(reader, { cursor: readAfter, streams: JSON.stringify(streams), limit }, isReceived, rows)
  if (rows.length > MAX_REPLAY_EVENTS) return null
  // Earlier events may show retracted content, also in quotes: the client fetches the current state instead.
  if (rows.some(({ name }) => specOfEvent(name)?.effect === 'retracts')) return null
  const bytes = rows.reduce((sum, row) => sum + row.payload.length, 0)
  return bytes > MAX_REPLAY_BYTES ? null : rows
}

/**
 * Adds the events of these streams that the client receives, until there are `limit`. Those that it does not receive do not
 * count: else their number would show in whether a replay is possible.
 */
function readReceived(
  reader: Reader,
  { cursor, streams, limit }: { cursor: number; streams: string; limit: number },
  isReceived: (event: LoggedEvent) => boolean,
  rows: LoggedEvent[],
): void {
  let page: LoggedEvent[]
  let from = cursor
  do {
    page = reader.all(streamEventsAfter, { cursor: from, streams, limit })
    rows.push(...page.filter(isReceived))
    from = page.at(-1)?.seq ?? from
  } while (page.length === limit && rows.length < limit)
}

/** Whether the log still has this event. If not, it was lost with a former primary, perhaps with others before it. */
function isInLog(reader: Reader, event: LoggedEvent): boolean {
  const row = reader.get(eventBySeq, { seq: event.seq })
  return row !== undefined && isSameEvent(row, event)
}

/** Two histories can share a sequence number, but practically never its whole content. */
export function isSameEvent(a: LoggedEvent, b: LoggedEvent): boolean {
  return (
    a.seq === b.seq &&
    a.stream === b.stream &&
    a.actorId === b.actorId &&
    a.audience === b.audience &&
    a.name === b.name &&
    Buffer.compare(a.payload, b.payload) === 0
  )
}

/** Judged by numbers alone, before any event is read. */
function isReplayable(reader: Reader, cursor: number): boolean {
  const { first, last } = reader.get(seqBounds) ?? { first: null, last: null }
  if (cursor > (last ?? 0) || cursor < (first ?? 1) - 1) return false
  if ((reader.get(gapAtOrBelow, { seq: cursor })?.toSeq ?? -1) >= cursor) return false
  const distance = (last ?? 0) - cursor
  if (distance <= MAX_REPLAY_DISTANCE) return true
  return distance - (reader.get(countSkippedAfter, { seq: cursor })?.numbers ?? 0) <= MAX_REPLAY_DISTANCE
}

/** One step of trimming: deletes events beyond a day or a million rows, and stored answers that have expired. */
export const trimLog = defineWrite({
  name: 'trimLog',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction): { removed: number } {
    tx.run(deleteOldGaps, { maxRows: MAX_GAP_ROWS })
    const belowSeq = lastUsedSeq(tx) - (tx.get(countSkippedSeqs)?.numbers ?? 0) - MAX_EVENT_ROWS
    const events = tx.run(deleteOldEvents, { before: tx.now - EVENT_RETENTION_MS, belowSeq, limit: TRIM_BATCH_ROWS })
    const answers = tx.run(deleteExpiredAnswers, { now: tx.now, limit: TRIM_BATCH_ROWS })
    return { removed: events.changes + answers.changes }
  },
})
