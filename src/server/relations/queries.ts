import type { BlockStatus } from '../../shared/accounts/protocol.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import type { BlockedUser } from '../../shared/relations/protocol.ts'
import { BLOCKS_PER_PAGE } from '../../shared/relations/rules.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'
import { NO_BLOCKS, type Viewer } from '../live/visibility.ts'

const blockedIdsOf = query<{ blockerId: UserId }>()((db, p) =>
  db.selectFrom('block').select('blockedId').where('blockerId', '=', p('blockerId')),
)
const blockOf = query<{ blockerId: UserId; blockedId: UserId }>()((db, p) =>
  db
    .selectFrom('block')
    .select('createdAt')
    .where('blockerId', '=', p('blockerId'))
    .where('blockedId', '=', p('blockedId')),
)
const blockedUsersPage = query<{ blockerId: UserId; at: number; blockedId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('block')
    .innerJoin('user', 'user.id', 'block.blockedId')
    .select([
      'user.id',
      'user.username',
      'user.avatarUrl',
      'user.gender',
      'user.isGuest',
      'user.nameReleasedAt',
      'block.createdAt',
    ])
    .where('block.blockerId', '=', p('blockerId'))
    .where((eb) => eb(eb.refTuple('block.createdAt', 'block.blockedId'), '<', eb.tuple(p('at'), p('blockedId'))))
    .orderBy('block.createdAt', 'desc')
    .orderBy('block.blockedId', 'desc')
    .limit(p('limit')),
)

/** The viewer of an actor, with the users they have blocked. */
export function viewerOf(reader: Pick<Reader, 'all'>, { userId, sessionId, role }: Actor): Viewer {
  const rows = reader.all(blockedIdsOf, { blockerId: userId })
  const blockedIds = rows.length > 0 ? new Set(rows.map(({ blockedId }) => blockedId)) : NO_BLOCKS
  return { userId, sessionId, role, blockedIds }
}

/** Whether `blockerId` has blocked `blockedId`. */
export function hasBlocked(reader: Pick<Reader, 'get'>, blockerId: UserId, blockedId: UserId): boolean {
  return reader.get(blockOf, { blockerId, blockedId }) !== undefined
}

/** The blocks between two users, from the side of `ownId`. */
export function blockStatus(reader: Pick<Reader, 'get'>, ownId: UserId, otherId: UserId): BlockStatus {
  return {
    hasBlockedProfile: hasBlocked(reader, ownId, otherId),
    isBlockedByProfile: hasBlocked(reader, otherId, ownId),
  }
}

/** A page of blocked users, newest first. `before` and `next` are `<createdAt>-<userId>`; `next` is null at the end. */
export function listBlockedUsers(
  reader: Pick<Reader, 'all'>,
  blockerId: UserId,
  before = `${Number.MAX_SAFE_INTEGER}-0`,
): { blockedUsers: BlockedUser[]; next: string | null } {
  const [at = 0, blockedId = 0] = before.split('-').map(Number)
  const rows = reader.all(blockedUsersPage, { blockerId, at, blockedId, limit: BLOCKS_PER_PAGE + 1 })
  const shown = rows.slice(0, BLOCKS_PER_PAGE)
  const last = shown.at(-1)
  return {
    blockedUsers: shown.map(({ id, username, avatarUrl, gender, isGuest, nameReleasedAt }) => ({
      blockedUsername: username,
      userDetails: { avatarUrl: isGuest === 1 ? null : avatarUrl, gender },
      id,
      isGuest: isGuest === 1,
      isGone: nameReleasedAt !== null,
    })),
    next: rows.length > BLOCKS_PER_PAGE && last ? `${last.createdAt}-${last.id}` : null,
  }
}
