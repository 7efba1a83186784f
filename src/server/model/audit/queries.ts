import { sql } from 'kysely'
import type { Action, ActionPerson } from '../../../shared/audit/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor } from '../../../shared/protocol/page-cursor.ts'
import type { Reader } from '../../kernel/database/read.ts'
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

/** The latest entries of a user as the actor or the target. */
export function listActionsOfUser(reader: Pick<Reader, 'all'>, userId: UserId, limit: number): Action[] {
  const [at, id] = parsePageCursor(FIRST_PAGE)
  const common = { userId, roomId: null, kind: null, from: 0, at, id, limit }
  const found = (['actor', 'target'] as const).flatMap((side) => readEntries(reader, { ...common, side }))
  return sortUnique(found).slice(0, limit)
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
export function readEntries(
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
export function sortUnique(actions: readonly Action[]): Action[] {
  const byId = new Map(actions.map((action) => [action.id, action]))
  return [...byId.values()].sort((a, b) => b.at - a.at || b.id - a.id)
}
