import { ACTIONS_PER_PAGE, MAX_PERSONS_OF_NAME } from '../../../shared/audit/limits.ts'
import type { Action, ActionFilter } from '../../../shared/audit/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { rangeOfDay } from '../../../shared/wallet/turkish-day.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { userByFoldedName } from '../../model/accounts/queries.ts'
import { readEntries, sortUnique } from '../../model/audit/queries.ts'
import { roomByFoldedName } from '../../model/rooms/queries.ts'
import { query } from '../../model/schema/query.ts'

const usersOfName = query<{ foldedName: string; limit: number }>()((db, p) =>
  db
    .selectFrom('actionName')
    .select('userId')
    .distinct()
    .where('foldedName', '=', p('foldedName'))
    .orderBy('userId', 'desc')
    .limit(p('limit')),
)

interface Page {
  actions: Action[]
  /** The cursor of the next page; null at the end. */
  next: string | null
}

export interface ListActions extends ActionFilter {
  before?: string | undefined
}

/** A page of the action log by a filter, the latest first. A name that no user has had, or an unknown room, finds nothing. */
export function listActions(
  reader: Pick<Reader, 'all' | 'get'>,
  { username, side, roomName, kind, fromDay, toDay, before }: ListActions,
): Page {
  const userIds = username === undefined ? null : listUserIdsOfName(reader, username)
  const room = roomName === undefined ? null : reader.get(roomByFoldedName, { foldedName: foldName(roomName) })
  if (room === undefined) return { actions: [], next: null }
  const [at, id] = earlierOf(before, toDay)
  const from = fromDay === undefined ? 0 : rangeOfDay(fromDay).from
  const common = { roomId: room?.id ?? null, kind: kind ?? null, from, at, id, limit: ACTIONS_PER_PAGE }
  const sides = side ? [side] : (['actor', 'target'] as const)
  const found = userIds
    ? userIds.flatMap((userId) => sides.flatMap((each) => readEntries(reader, { ...common, side: each, userId })))
    : readEntries(reader, { ...common, side: null, userId: 0 })
  const { shown, next } = toPage(sortUnique(found), ACTIONS_PER_PAGE, (row) => row.at)
  return { actions: shown, next }
}

/** The users who have or had a name, in the log or now, the latest first. */
function listUserIdsOfName(reader: Pick<Reader, 'all' | 'get'>, username: string): UserId[] {
  const foldedName = foldName(username)
  const named = reader.all(usersOfName, { foldedName, limit: MAX_PERSONS_OF_NAME }).map(({ userId }) => userId)
  const holder = reader.get(userByFoldedName, { foldedName })
  return [...new Set(holder ? [holder.id, ...named] : named)]
}

/** Where a page starts: at its cursor, or after the last day if that is earlier. */
function earlierOf(before: string | undefined, toDay: string | undefined): [at: number, id: number] {
  const [at, id] = parsePageCursor(before ?? FIRST_PAGE)
  const end = toDay === undefined ? at : rangeOfDay(toDay).to
  return end < at ? [end, 0] : [at, id]
}
