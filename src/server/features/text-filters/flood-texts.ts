import { sql } from 'kysely'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { foldLetters } from '../../../shared/text-filters/fold-letters.ts'
import { MIN_FLOOD_TEXT_LETTERS } from '../../../shared/text-filters/limits.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../../model/schema/query.ts'
import type { FloodText } from './flood-watch.ts'

/** The events of texts that people write. */
const FLOOD_EVENTS = ['message', 'directMessage', 'postCommented'] as const
/** Letters of the beginning and of the end that make two texts nearly the same. */
const COMPARED_LETTERS = 24

const lastAddressOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('accountMark')
    .innerJoin('user', 'user.id', 'accountMark.userId')
    .select('accountMark.hash')
    .where('accountMark.userId', '=', p('userId'))
    .where('accountMark.kind', '=', 'address')
    .where('user.role', '!=', 'rootadmin')
    .orderBy('accountMark.lastSeenAt', 'desc')
    .limit(1),
)
const textEvents = query<{ userIds: string; afterSeq: number; upToSeq: number }>()((db, p) =>
  db
    .selectFrom('event')
    .selectAll()
    .where('seq', '>', p('afterSeq'))
    .where('seq', '<=', p('upToSeq'))
    .where('name', 'in', FLOOD_EVENTS)
    .where('actorId', 'in', sql<UserId>`(select value from json_each(${p('userIds')}))`)
    .orderBy('seq'),
)

/** Whether somebody has written the text of this event; of a direct message the event of its sender counts. */
export function isTextEvent<E extends LoggedEvent>(event: E): event is E & { actorId: UserId } {
  const { name, actorId, stream } = event
  if (actorId === null || !(FLOOD_EVENTS as readonly string[]).includes(name)) return false
  return name !== 'directMessage' || stream === userStream(actorId)
}

/** The last address of an account, as its keyed hash; null for a root admin and where none is known. */
export function findFloodAddress(reader: Pick<Reader, 'get'>, userId: UserId): string | null {
  return reader.get(lastAddressOfUser, { userId })?.hash ?? null
}

/** What these accounts have written, from the events after `afterSeq`. */
export function readFloodTexts(
  reader: Reader,
  { userIds, ...range }: { userIds: readonly UserId[]; afterSeq: number; upToSeq: number },
): { texts: FloodText[] } {
  const rows = reader.all(textEvents, { ...range, userIds: JSON.stringify(userIds) })
  return {
    texts: rows.filter(isTextEvent).map((row) => {
      const content = contentOf(row)
      const sample = row.name === 'directMessage' ? null : content
      return { userId: row.actorId, keys: textKeys(content), sample, at: row.at }
    }),
  }
}

function contentOf(event: LoggedEvent): string {
  if (isEvent(event, 'message') || isEvent(event, 'directMessage')) return decodeEventPayload(event).content
  return isEvent(event, 'postCommented') ? decodeEventPayload(event).comment.content : ''
}

/** Texts that share a key are the same or nearly the same: all letters, their beginning, or their end. */
export function textKeys(text: string): string[] {
  const letters = foldLetters(text)
    .map(({ base }) => base)
    .filter((base, index, all) => !/\d/.test(base) && base !== all[index - 1])
  if (letters.length < MIN_FLOOD_TEXT_LETTERS) return []
  const all = letters.join('')
  if (letters.length <= COMPARED_LETTERS) return [`= ${all}`]
  const [start, end] = [letters.slice(0, COMPARED_LETTERS), letters.slice(-COMPARED_LETTERS)]
  return [`> ${start.join('')}`, `< ${end.join('')}`]
}
