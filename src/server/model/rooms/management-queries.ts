import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import { VISITORS_PER_PAGE } from '../../../shared/room-management/limits.ts'
import type { RoomVisitor } from '../../../shared/room-management/protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import { query } from '../schema/query.ts'

type PageOfVisitors = { roomId: RoomId; at: number; userId: UserId; limit: number }

const visitorsBefore = query<PageOfVisitors>()((db, p) =>
  db
    .selectFrom('roomVisit')
    .innerJoin('user', 'user.id', 'roomVisit.userId')
    .select(['user.id', 'user.username', 'user.avatarUrl', 'user.gender', 'user.isGuest', 'user.role', 'visitedAt'])
    .where('roomId', '=', p('roomId'))
    .where((eb) =>
      eb.or([
        eb('visitedAt', '<', p('at')),
        eb.and([eb('visitedAt', '=', p('at')), eb('roomVisit.userId', '<', p('userId'))]),
      ]),
    )
    .orderBy('visitedAt', 'desc')
    .orderBy('roomVisit.userId', 'desc')
    .limit(p('limit')),
)

/** A page of those who entered a room lately, the latest first. */
export function listVisitors(
  reader: Pick<Reader, 'all'>,
  roomId: RoomId,
  before = FIRST_PAGE,
): { visitors: RoomVisitor[]; next: string | null } {
  const [at, userId] = parsePageCursor(before)
  const rows = reader.all(visitorsBefore, { roomId, at, userId, limit: VISITORS_PER_PAGE + 1 })
  const { shown, next } = toPage(rows, VISITORS_PER_PAGE, ({ visitedAt }) => visitedAt)
  return { visitors: shown.map(toVisitor), next }
}

/** A guest has no picture. */
function toVisitor({ isGuest, avatarUrl, ...row }: Omit<RoomVisitor, 'isGuest'> & { isGuest: Flag }): RoomVisitor {
  return { ...row, isGuest: isGuest === 1, avatarUrl: isGuest === 1 ? null : avatarUrl }
}
