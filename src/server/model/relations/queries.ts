import type { BlockStatus } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import type { FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import { FOLLOWS_PER_PAGE, type FollowStatus } from '../../../shared/relations/follow-rules.ts'
import type { BlockedUser } from '../../../shared/relations/protocol.ts'
import { BLOCKS_PER_PAGE } from '../../../shared/relations/rules.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { canReceive, NO_BLOCKS, type Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { query } from '../schema/query.ts'

const blockedIdsOf = query<{ blockerId: UserId }>()((db, p) =>
  db.selectFrom('block').select('blockedId').where('blockerId', '=', p('blockerId')),
)
const blockOf = query<{ blockerId: UserId; blockedId: UserId }>()((db, p) =>
  db
    .selectFrom('block')
    .select('blockedId')
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
  before = FIRST_PAGE,
): { blockedUsers: BlockedUser[]; next: string | null } {
  const [at, blockedId] = parsePageCursor(before)
  const rows = reader.all(blockedUsersPage, { blockerId, at, blockedId, limit: BLOCKS_PER_PAGE + 1 })
  const { shown, next } = toPage(rows, BLOCKS_PER_PAGE, ({ createdAt }) => createdAt)
  return {
    blockedUsers: shown.map(({ id, username, avatarUrl, gender, isGuest, nameReleasedAt }) => ({
      blockedUsername: username,
      userDetails: { avatarUrl: isGuest === 1 ? null : avatarUrl, gender },
      id,
      isGuest: isGuest === 1,
      isGone: nameReleasedAt !== null,
    })),
    next,
  }
}

const followOf = query<{ followerId: UserId; followingId: UserId }>()((db, p) =>
  db
    .selectFrom('follow')
    .select(['isAccepted', 'audience'])
    .where('followerId', '=', p('followerId'))
    .where('followingId', '=', p('followingId')),
)
/** Kept by triggers (migrations/0015-follow-counts.ts); a user whom nobody has ever followed has no row. */
const countsOf = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('followCount').select(['followerCount', 'followingCount']).where('userId', '=', p('userId')),
)
/** What is counted for a viewer beside the counts of everybody. */
const hiddenCountsOf = query<{ userId: UserId } & VisibilityParams>()((db, p) => {
  const hiddenOn = (side: FollowColumn) =>
    db
      .selectFrom('follow')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(side, '=', p('userId'))
      .where('audience', 'is not', null)
      .where('isAccepted', '=', 1)
      .where(visibleTo(p, 'follow.followerId'))
  return db.selectNoFrom([hiddenOn('followingId').as('followers'), hiddenOn('followerId').as('following')])
})
/** Pages of one side of the follows: the users in `listed` whose other side is `owner`. */
function followPage(owner: FollowColumn, listed: FollowColumn) {
  return query<FollowPage>()((db, p) =>
    db
      .selectFrom('follow')
      .innerJoin('user', 'user.id', `follow.${listed}`)
      .select(['user.id', 'user.username', 'user.avatarUrl', 'user.gender', 'user.isGuest', 'follow.at'])
      .where(`follow.${owner}`, '=', p('userId'))
      .where('follow.isAccepted', '=', 1)
      .where(visibleTo(p, 'follow.followerId'))
      .where((eb) => eb(eb.refTuple('follow.at', `follow.${listed}`), '<', eb.tuple(p('at'), p('beforeId'))))
      .orderBy('follow.at', 'desc')
      .orderBy(`follow.${listed}`, 'desc')
      .limit(p('limit')),
  )
}
const followersPage = followPage('followingId', 'followerId')
const followingPage = followPage('followerId', 'followingId')

type FollowColumn = 'followerId' | 'followingId'
type FollowPage = { userId: UserId; at: number; beforeId: UserId; limit: number } & VisibilityParams
/** Who looks at follows. */
type FollowViewer = Pick<Viewer, 'userId' | 'role'>

/** How one user follows another, as the viewer may know it. */
export function followStatusOf(
  reader: Pick<Reader, 'get'>,
  viewer: FollowViewer,
  followerId: UserId,
  followingId: UserId,
): FollowStatus {
  const follow = findFollow(reader, followerId, followingId)
  const receiver = { ...viewer, sessionId: 0, blockedIds: NO_BLOCKS }
  if (!follow || !canReceive(receiver, { actorId: followerId, audience: follow.audience })) return 'not_following'
  return follow.isAccepted === 1 ? 'following' : 'pending'
}

/** The follow or request of one user to another, hidden ones of a ghost-banned user too. */
export function findFollow(reader: Pick<Reader, 'get'>, followerId: UserId, followingId: UserId) {
  return reader.get(followOf, { followerId, followingId })
}

/** What is shown across a block, and of a user whom nobody has ever followed. */
export const NO_FOLLOW_COUNTS = { followerCount: 0, followingCount: 0 }

/** How many users follow this one, and how many this one follows, as the viewer may know it; requests are not counted. */
export function followCounts(
  reader: Pick<Reader, 'get'>,
  viewer: FollowViewer,
  userId: UserId,
): { followerCount: number; followingCount: number } {
  const shown = reader.get(countsOf, { userId }) ?? NO_FOLLOW_COUNTS
  const hidden = reader.get(hiddenCountsOf, { userId, ...visibilityOf(viewer) })
  return {
    followerCount: shown.followerCount + (hidden?.followers ?? 0),
    followingCount: shown.followingCount + (hidden?.following ?? 0),
  }
}

/** A page of a user's followers or of whom they follow, the latest first; the cursors are `<time>-<user id>`. */
export function listFollows(
  reader: Pick<Reader, 'all'>,
  viewer: FollowViewer,
  list: { side: 'followers' | 'following'; userId: UserId; before?: string | undefined; size?: number },
): { users: FollowListEntry[]; next: string | null } {
  const { side, userId, before = FIRST_PAGE, size = FOLLOWS_PER_PAGE } = list
  const [at, beforeId] = parsePageCursor(before)
  const page = side === 'followers' ? followersPage : followingPage
  const rows = reader.all(page, { userId, at, beforeId, limit: size + 1, ...visibilityOf(viewer) })
  const { shown, next } = toPage(rows, size, (row) => row.at)
  return {
    users: shown.map(({ id, username, avatarUrl, gender, isGuest }) => ({
      id,
      username,
      avatarUrl: isGuest === 1 ? null : avatarUrl,
      gender,
      isGuest: isGuest === 1,
    })),
    next,
  }
}
