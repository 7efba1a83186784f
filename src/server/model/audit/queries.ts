import { sql } from 'kysely'
import { ACTIONS_PER_PAGE, MAX_PERSONS_OF_NAME } from '../../../shared/audit/limits.ts'
import type { Action, ActionFilter, ActionPerson } from '../../../shared/audit/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { rangeOfDay } from '../../../shared/wallet/turkish-day.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { userByFoldedName } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'

type Side = 'actor' | 'target'

interface PageParams extends Record<string, string | number> {
  userId: UserId
  roomId: RoomId
  kind: string
  from: number
  at: number
  id: number
  limit: number
}

/** What a query of entries filters by, besides the time. */
interface FilteredBy {
  side: Side | null
  hasRoom: boolean
  hasKind: boolean
}

/**
 * A page of entries. One filter, the narrowest, is a range of an index in the order of the page; a unary plus keeps the
 * others from choosing their index.
 */
function pageOf({ side, hasRoom, hasKind }: FilteredBy) {
  const idColumn = side === 'actor' ? 'entry.actorId' : 'entry.targetId'
  const roomColumn = side ? sql<RoomId>`+entry.roomId` : sql<RoomId>`entry.roomId`
  const kindColumn = side || hasRoom ? sql<string>`+entry.kind` : sql<string>`entry.kind`
  return query<PageParams>()((db, p) =>
    db
      .selectFrom('actionEntry as entry')
      .leftJoin('actionName as actorName', 'actorName.id', 'entry.actorNameId')
      .leftJoin('actionName as targetName', 'targetName.id', 'entry.targetNameId')
      .leftJoin('user as actor', 'actor.id', 'entry.actorId')
      .leftJoin('user as target', 'target.id', 'entry.targetId')
      .leftJoin('room', 'room.id', 'entry.roomId')
      .selectAll('entry')
      .select([
        'actorName.username as actorUsername',
        'actor.username as actorCurrentUsername',
        'actor.nameReleasedAt as actorReleasedAt',
        'targetName.username as targetUsername',
        'target.username as targetCurrentUsername',
        'target.nameReleasedAt as targetReleasedAt',
        'room.name as roomName',
      ])
      .$if(side !== null, (rows) => rows.where(idColumn, '=', p('userId')))
      .$if(hasRoom, (rows) => rows.where(roomColumn, '=', p('roomId')))
      .$if(hasKind, (rows) => rows.where(kindColumn, '=', p('kind')))
      .where('entry.at', '>=', p('from'))
      .where((eb) => eb(eb.refTuple('entry.at', 'entry.id'), '<', eb.tuple(p('at'), p('id'))))
      .orderBy('entry.at', 'desc')
      .orderBy('entry.id', 'desc')
      .limit(p('limit')),
  )
}

const keyOf = ({ side, hasRoom, hasKind }: FilteredBy) => `${side} ${hasRoom} ${hasKind}`

/** The queries of all combinations of filters, by `keyOf`. */
export const actionPages = new Map(
  ([null, 'actor', 'target'] as const).flatMap((side) =>
    [false, true].flatMap((hasRoom) =>
      [false, true].map((hasKind) => {
        const filteredBy = { side, hasRoom, hasKind }
        return [keyOf(filteredBy), pageOf(filteredBy)] as const
      }),
    ),
  ),
)

const usersOfName = query<{ foldedName: string; limit: number }>()((db, p) =>
  db
    .selectFrom('actionName')
    .select('userId')
    .distinct()
    .where('foldedName', '=', p('foldedName'))
    .orderBy('userId', 'desc')
    .limit(p('limit')),
)

const roomOfName = query<{ foldedName: string }>()((db, p) =>
  db.selectFrom('room').select('id').where('foldedName', '=', p('foldedName')),
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
  const room = roomName === undefined ? null : reader.get(roomOfName, { foldedName: foldName(roomName) })
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

/** The latest entries of a user as the actor or the target. */
export function listActionsOfUser(reader: Pick<Reader, 'all'>, userId: UserId, limit: number): Action[] {
  const [at, id] = parsePageCursor(FIRST_PAGE)
  const common = { userId, roomId: null, kind: null, from: 0, at, id, limit }
  const found = (['actor', 'target'] as const).flatMap((side) => readEntries(reader, { ...common, side }))
  return sortUnique(found).slice(0, limit)
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

interface ReadEntries {
  side: Side | null
  /** Unused without a side. */
  userId: UserId
  roomId: RoomId | null
  kind: string | null
  from: number
  at: number
  id: number
  limit: number
}

/** One entry more than the limit, where there are more. */
function readEntries(
  reader: Pick<Reader, 'all'>,
  { side, userId, roomId, kind, limit, ...range }: ReadEntries,
): Action[] {
  const page = actionPages.get(keyOf({ side, hasRoom: roomId !== null, hasKind: kind !== null }))
  if (!page) throw new Error('a combination of filters has no query')
  const rows = reader.all(page, { ...range, userId, roomId: roomId ?? 0, kind: kind ?? '', limit: limit + 1 })
  return rows.map(({ actorId, targetId, roomId: room, subjectType, subjectId, details, ...row }) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    actor: toActionPerson(actorId, row.actorUsername, row.actorReleasedAt === null ? row.actorCurrentUsername : null),
    target: toActionPerson(
      targetId,
      row.targetUsername,
      row.targetReleasedAt === null ? row.targetCurrentUsername : null,
    ),
    room: room === null ? null : { id: room, name: row.roomName ?? '' },
    subject: subjectType === null || subjectId === null ? null : { type: subjectType, id: subjectId },
    reason: row.reason,
    endsAt: row.endsAt,
    details: details === null ? {} : (JSON.parse(details) as Action['details']), // `recordAction` wrote it
  }))
}

/** Of an erased account neither name is shown. */
function toActionPerson(id: UserId | null, username: string | null, current: string | null): ActionPerson | null {
  return id === null ? null : { id, username, currentUsername: username === null ? null : current }
}

/** The latest first, each once: a person may be both sides of an entry. */
function sortUnique(actions: readonly Action[]): Action[] {
  const byId = new Map(actions.map((action) => [action.id, action]))
  return [...byId.values()].sort((a, b) => b.at - a.at || b.id - a.id)
}
