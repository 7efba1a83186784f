import { sql } from 'kysely'
import { events, type LoggedEventName } from '../../../../shared/protocol/catalogue.ts'
import { insertRow, query } from '../query.ts'
import type { Reader } from '../read.ts'
import { isSameEvent, type LoggedEvent, specOfEvent } from './logged-event.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Stream } from './streams.ts'

/** A cursor that is this many numbers behind gets a resync: a replay reads the log from the cursor on. */
const MAX_REPLAY_DISTANCE = 5_000
/** A client that missed more events or bytes than this gets a resync instead of a replay. */
const MAX_REPLAY_EVENTS = 1000
const MAX_REPLAY_BYTES = 256 * 1024

export const insertEvent = insertRow('event', ['seq', 'stream', 'actorId', 'audience', 'name', 'payload', 'at'])

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

/** Names of retraction events: earlier events may show what they retract, so a replay never crosses one. */
export const retractionEvents = (Object.keys(events) as LoggedEventName[]).filter(
  // keys of the catalogue
  (name) => specOfEvent(name)?.effect === 'retracts',
)

/** The highest `seq` that was ever used or skipped; 0 for an empty log. */
export function lastUsedSeq(reader: Reader): number {
  const row = reader.get(seqBounds)
  return Math.max(row?.last ?? 0, row?.skipped ?? 0)
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

/** Judged by numbers alone, before any event is read. */
function isReplayable(reader: Reader, cursor: number): boolean {
  const { first, last } = reader.get(seqBounds) ?? { first: null, last: null }
  if (cursor > (last ?? 0) || cursor < (first ?? 1) - 1) return false
  if ((reader.get(gapAtOrBelow, { seq: cursor })?.toSeq ?? -1) >= cursor) return false
  const distance = (last ?? 0) - cursor
  if (distance <= MAX_REPLAY_DISTANCE) return true
  return distance - (reader.get(countSkippedAfter, { seq: cursor })?.numbers ?? 0) <= MAX_REPLAY_DISTANCE
}
