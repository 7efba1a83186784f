import type { Selectable } from 'kysely'
import {
  COMMENTS_PER_PAGE,
  LIKES_PER_PAGE,
  POSTS_PER_PAGE,
  SHOWN_COMMENTS,
  SHOWN_LIKES,
} from '../../../shared/posts/limits.ts'
import type { Post, PostComment, PostCounts, PostLiker, PostPerson, PostSort } from '../../../shared/posts/post.ts'
import type { CommentId, PostId, UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { isShownAsGhost, type Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { query, type Tables } from '../schema/query.ts'

export type PostRow = Selectable<Tables['post']>
type PostReader = Pick<Reader, 'get' | 'all'>
/** The viewer of posts. The payload of an event is made for one without blocks. */
type PostViewer = Pick<Viewer, 'userId' | 'role' | 'blockedIds'>

interface PageParams extends Record<string, number>, VisibilityParams {
  userId: UserId
  isArchived: 0 | 1
  key: number
  id: PostId
  limit: number
}

/** What a user who has commented adds to the score of a post. */
export const COMMENTER_SCORE = 2

const postRow = query<{ id: PostId }>()((db, p) =>
  db.selectFrom('post').selectAll().where('id', '=', p('id')).where('deletedAt', 'is', null),
)
/** Each list is one range of one index. */
function postPage(key: 'createdAt' | 'score', direction: 'asc' | 'desc') {
  return query<PageParams>()((db, p) =>
    db
      .selectFrom('post')
      .selectAll()
      .where('userId', '=', p('userId'))
      .where('isArchived', '=', p('isArchived'))
      .where('deletedAt', 'is', null)
      .where(visibleTo(p, 'post.userId'))
      .where((eb) => eb(eb.refTuple(key, 'id'), direction === 'asc' ? '>' : '<', eb.tuple(p('key'), p('id'))))
      .orderBy(key, direction)
      .orderBy('id', direction)
      .limit(p('limit')),
  )
}
const postPages = {
  createdAt_DESC: postPage('createdAt', 'desc'),
  createdAt_ASC: postPage('createdAt', 'asc'),
  score: postPage('score', 'desc'),
} as const satisfies Record<PostSort, unknown>
const totalOf = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('postTotal').select('postCount').where('userId', '=', p('userId')),
)
/** How many posts of a user only this viewer and root admins see in the profile. */
const hiddenTotalOf = query<{ userId: UserId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('post')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', p('userId'))
    .where('audience', 'is not', null)
    .where('isArchived', '=', 0)
    .where('deletedAt', 'is', null)
    .where(visibleTo(p, 'post.userId')),
)
const likeOf = query<{ postId: PostId; userId: UserId }>()((db, p) =>
  db.selectFrom('postLike').select('audience').where('postId', '=', p('postId')).where('userId', '=', p('userId')),
)
const latestLikes = query<{ postId: PostId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('postLike')
    .select('userId')
    .where('postId', '=', p('postId'))
    .where(visibleTo(p, 'postLike.userId'))
    .orderBy('createdAt', 'desc')
    .orderBy('userId', 'desc')
    .limit(SHOWN_LIKES),
)
const likesPage = query<{ postId: PostId; at: number; userId: UserId; limit: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('postLike')
    .innerJoin('user', 'user.id', 'postLike.userId')
    .select(['user.id', 'user.username', 'user.avatarUrl', 'user.gender', 'user.isGuest'])
    .select(['postLike.createdAt', 'postLike.audience'])
    .where('postLike.postId', '=', p('postId'))
    .where(visibleTo(p, 'postLike.userId'))
    .where((eb) => eb(eb.refTuple('postLike.createdAt', 'postLike.userId'), '<', eb.tuple(p('at'), p('userId'))))
    .orderBy('postLike.createdAt', 'desc')
    .orderBy('postLike.userId', 'desc')
    .limit(p('limit')),
)
const latestCommentIds = query<{ postId: PostId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('postComment')
    .select('id')
    .where('postId', '=', p('postId'))
    .where(visibleTo(p, 'postComment.userId'))
    .orderBy('id', 'desc')
    .limit(SHOWN_COMMENTS),
)
const commentsBefore = query<{ postId: PostId; before: CommentId; limit: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('postComment')
    .innerJoin('user', 'user.id', 'postComment.userId')
    .select([
      'postComment.id',
      'postComment.postId',
      'postComment.content',
      'postComment.createdAt',
      'postComment.userId',
      'postComment.audience',
    ])
    .select(['user.username', 'user.avatarUrl', 'user.gender', 'user.isGuest'])
    .where('postComment.postId', '=', p('postId'))
    .where('postComment.id', '<', p('before'))
    .where(visibleTo(p, 'postComment.userId'))
    .orderBy('postComment.id', 'desc')
    .limit(p('limit')),
)
/** What is counted for a viewer beside the counts of the row, which are those of everybody. */
const hiddenCounts = query<{ postId: PostId } & VisibilityParams>()((db, p) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('postLike')
      .select(eb.fn.countAll<number>().as('count'))
      .where('postId', '=', p('postId'))
      .where('audience', 'is not', null)
      .where(visibleTo(p, 'postLike.userId'))
      .as('likes'),
    eb
      .selectFrom('postComment')
      .select(eb.fn.countAll<number>().as('count'))
      .where('postId', '=', p('postId'))
      .where('audience', 'is not', null)
      .where(visibleTo(p, 'postComment.userId'))
      .as('comments'),
    eb
      .selectFrom('postComment')
      .select((comment) => comment.fn.count<number>('userId').distinct().as('count'))
      .where('postId', '=', p('postId'))
      .where('audience', 'is not', null)
      .where(visibleTo(p, 'postComment.userId'))
      .where('userId', 'not in', (inner) =>
        inner
          .selectFrom('postComment as counted')
          .select('counted.userId')
          .where('counted.postId', '=', p('postId'))
          .where('counted.audience', 'is', null),
      )
      .as('commenters'),
  ]),
)

/** The row of a post that is not deleted. */
export function findPost(reader: Pick<Reader, 'get'>, id: PostId): PostRow | undefined {
  return reader.get(postRow, { id })
}

/** How many posts of a user are neither archived nor deleted, as far as this viewer may see them. */
export function countPosts(
  reader: Pick<Reader, 'get'>,
  viewer: Pick<Viewer, 'userId' | 'role'>,
  userId: UserId,
): number {
  const hidden = reader.get(hiddenTotalOf, { userId, ...visibilityOf(viewer) })?.count ?? 0
  return (reader.get(totalOf, { userId })?.postCount ?? 0) + hidden
}

/** A page of a user's posts or archive. `before` and `next` are `<sort key>-<id>`; `next` is null at the end. */
export function listPosts(
  reader: PostReader,
  viewer: PostViewer,
  list: { userId: UserId; isArchived: boolean; sort: PostSort; before?: string | undefined },
): { posts: Post[]; next: string | null } {
  const { userId, sort } = list
  const start = sort === 'createdAt_ASC' ? '0-0' : FIRST_PAGE
  const [key, id] = parsePageCursor(list.before ?? start)
  const isArchived = list.isArchived ? 1 : 0
  const page = { userId, isArchived, key, id, limit: POSTS_PER_PAGE + 1 } as const
  const rows = reader.all(postPages[sort], { ...page, ...visibilityOf(viewer) })
  const { shown, next } = toPage(rows, POSTS_PER_PAGE, ({ score, createdAt }) => (sort === 'score' ? score : createdAt))
  return { posts: shown.map((row) => toPost(reader, viewer, row)), next }
}

/** A post as this viewer sees it. */
export function toPost(reader: PostReader, viewer: PostViewer, row: PostRow): Post {
  const { userId, blockedIds } = viewer
  const visibility = visibilityOf(viewer)
  const counts = shownCounts(reader, visibility, row)
  const comments = reader.all(commentsBefore, {
    postId: row.id,
    before: Number.MAX_SAFE_INTEGER,
    limit: SHOWN_COMMENTS,
    ...visibility,
  })
  return {
    id: row.id,
    userId: row.userId,
    type: row.type,
    url: uploadUrl(row.path),
    mediumUrl: row.mediumPath && uploadUrl(row.mediumPath),
    thumbnailUrl: row.thumbnailPath && uploadUrl(row.thumbnailPath),
    width: row.width,
    height: row.height,
    durationMs: row.durationMs,
    blur: row.blur,
    description: row.description,
    isArchived: row.isArchived === 1,
    createdAt: row.createdAt,
    ...counts,
    isLiked: counts.likeCount > 0 && findLike(reader, row.id, userId) !== undefined,
    Likes: counts.likeCount > 0 ? reader.all(latestLikes, { postId: row.id, ...visibility }) : [],
    Comments: comments
      .filter((comment) => !blockedIds.has(comment.userId))
      .map((comment) => ({ ...toComment(comment), ...markOf(viewer, comment) }))
      .reverse(),
    ...markOf(viewer, row),
  }
}

/** The likes and comments of a post, with those that only this viewer and root admins see. */
export function shownCounts(
  reader: Pick<Reader, 'get'>,
  visibility: VisibilityParams,
  { id, likeCount, commentCount, score }: PostRow,
): Pick<Post, 'likeCount' | 'commentCount' | 'score'> {
  const hidden = reader.get(hiddenCounts, { postId: id, ...visibility })
  const { likes, comments, commenters } = {
    likes: hidden?.likes ?? 0,
    comments: hidden?.comments ?? 0,
    commenters: hidden?.commenters ?? 0,
  }
  return {
    likeCount: likeCount + likes,
    commentCount: commentCount + comments,
    score: score + likes + commenters * COMMENTER_SCORE,
  }
}

/** The counts of a post after a change. */
export function countsOf(
  reader: PostReader,
  visibility: VisibilityParams,
  row: PostRow,
  like: PostCounts['like'],
): PostCounts {
  const commentIds = reader.all(latestCommentIds, { postId: row.id, ...visibility }).map(({ id }) => id)
  return {
    postId: row.id,
    userId: row.userId,
    ...shownCounts(reader, visibility, row),
    Likes: reader.all(latestLikes, { postId: row.id, ...visibility }),
    commentIds: commentIds.reverse(),
    like,
  }
}

/** The user's like of the post; undefined without one. */
export function findLike(
  reader: Pick<Reader, 'get'>,
  postId: PostId,
  userId: UserId,
): { audience: 'actor' | null } | undefined {
  return reader.get(likeOf, { postId, userId })
}

/** A page of the users who like a post, the latest first; cursors are `<time>-<user id>`. */
export function listLikes(
  reader: PostReader,
  viewer: PostViewer,
  postId: PostId,
  before = FIRST_PAGE,
): { users: PostLiker[]; next: string | null } {
  const [at, userId] = parsePageCursor(before)
  const rows = reader.all(likesPage, { postId, at, userId, limit: LIKES_PER_PAGE + 1, ...visibilityOf(viewer) })
  const { shown, next } = toPage(rows, LIKES_PER_PAGE, ({ createdAt }) => createdAt)
  const users = shown.map(({ audience, ...row }) => ({
    ...toPostPerson(row),
    ...markOf(viewer, { userId: row.id, audience }),
  }))
  return { users, next }
}

/** A page of comments, the latest first, without those of users whom the viewer has blocked. */
export function listComments(
  reader: PostReader,
  viewer: PostViewer,
  postId: PostId,
  before: CommentId = Number.MAX_SAFE_INTEGER,
): { comments: PostComment[]; next: CommentId | null } {
  const rows = reader.all(commentsBefore, { postId, before, limit: COMMENTS_PER_PAGE + 1, ...visibilityOf(viewer) })
  const { blockedIds } = viewer
  const shown = rows.slice(0, COMMENTS_PER_PAGE)
  return {
    comments: shown
      .filter(({ userId }) => !blockedIds.has(userId))
      .map((comment) => ({ ...toComment(comment), ...markOf(viewer, comment) })),
    next: rows.length > COMMENTS_PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** The latest comments of a post, the latest first, those of blocked users too. */
export function latestComments(
  reader: PostReader,
  visibility: VisibilityParams,
  postId: PostId,
  limit: number,
): PostComment[] {
  return reader.all(commentsBefore, { postId, before: Number.MAX_SAFE_INTEGER, limit, ...visibility }).map(toComment)
}

/** The mark of a row that this viewer reads as written by a ghost-banned user. */
function markOf(
  viewer: PostViewer,
  { userId, audience }: { userId: UserId; audience: 'actor' | null },
): { isGhost?: true } {
  return isShownAsGhost(viewer, { actorId: userId, audience }) ? { isGhost: true } : {}
}

type PersonRow = Omit<PostPerson, 'isGuest'> & { isGuest: 0 | 1 }

function toComment({
  id,
  postId,
  content,
  createdAt,
  userId,
  audience: _,
  ...person
}: Omit<PersonRow, 'id'> & {
  id: CommentId
  postId: PostId
  content: string
  createdAt: number
  userId: UserId
  audience: 'actor' | null
}): PostComment {
  return { id, postId, content, createdAt, User: toPostPerson({ id: userId, ...person }) }
}

/** A guest has the default avatar (specification 1, point 1). */
function toPostPerson({ id, username, avatarUrl, gender, isGuest }: PersonRow): PostPerson {
  return { id, username, avatarUrl: isGuest === 1 ? null : avatarUrl, gender, isGuest: isGuest === 1 }
}

function uploadUrl(path: string): string {
  return `/uploads/${path}`
}
