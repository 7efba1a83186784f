import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { routes } from '../../../shared/posts/protocol.ts'
import { routes as reactions } from '../../../shared/posts/reactions-protocol.ts'
import { POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import { PROFILE_HIDDEN_TEXT } from '../../../shared/profiles/view-rules.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { visibilityOf } from '../../kernel/live/visible-to.ts'
import { userById } from '../../model/accounts/queries.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import {
  countPosts,
  listComments,
  listLikes,
  listPosts,
  type PostRow,
  shownCounts,
  toPost,
} from '../../model/posts/queries.ts'
import { canViewProfileOf } from '../../model/profiles/access.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import { consumeReportLimit } from '../../model/reports/access.ts'
import { commentPost } from './comment-post.ts'
import { deleteComment } from './delete-comment.ts'
import { deletePost } from './delete-post.ts'
import { consumeCommentLimit, consumeLikeLimit } from './post-limits.ts'
import { reportPost } from './report-post.ts'
import { setLike } from './set-like.ts'
import { setPostArchived } from './set-post-archived.ts'
import { uploadPostRoute } from './upload-post.ts'

/** `/api/posts`: posts of a profile, the archive, likes, comments and reports. */
export function postRoutes(app: NodeApp, appContext: AppContext): void {
  uploadPostRoute(app, appContext)
  readRoutes(app, appContext)
  changeRoutes(app, appContext)
}

function readRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader } = appContext

  registerRoute(app, appContext, routes.postsOfUser, ({ input: { id, sort, before }, actor }) =>
    reader.snapshot((snapshot) => {
      if (!snapshot.get(userById, { id })) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
      if (!canViewProfileOf(snapshot, actor, id)) return refuse('Forbidden', { message: PROFILE_HIDDEN_TEXT })
      const page = listPosts(snapshot, viewerOf(snapshot, actor), { userId: id, isArchived: false, sort, before })
      return { success: true as const, ...page, cursor: snapshot.cursor(), postCount: countPosts(snapshot, actor, id) }
    }),
  )

  registerRoute(app, appContext, routes.archivedPosts, ({ input: { id, before }, actor }) => {
    if (id !== actor.userId) return refuse('Forbidden')
    return reader.snapshot((snapshot) => {
      const list = { userId: id, isArchived: true, sort: 'createdAt_DESC' as const, before }
      return {
        success: true as const,
        ...listPosts(snapshot, viewerOf(snapshot, actor), list),
        cursor: snapshot.cursor(),
      }
    })
  })

  registerRoute(app, appContext, routes.postById, ({ input, actor }) =>
    withPost(reader, actor, input.id, (snapshot, viewer, row) => ({
      success: true as const,
      post: toPost(snapshot, viewer, row),
      cursor: snapshot.cursor(),
    })),
  )

  registerRoute(app, appContext, reactions.likesOfPost, ({ input, actor }) =>
    withPost(reader, actor, input.id, (snapshot, viewer, row) => ({
      success: true as const,
      ...listLikes(snapshot, viewer, row.id, input.before),
      likeCount: shownCounts(snapshot, visibilityOf(viewer), row).likeCount,
    })),
  )

  registerRoute(app, appContext, reactions.commentsOfPost, ({ input, actor }) =>
    withPost(reader, actor, input.id, (snapshot, viewer, row) => ({
      success: true as const,
      ...listComments(snapshot, viewer, row.id, input.before),
      commentCount: shownCounts(snapshot, visibilityOf(viewer), row).commentCount,
      cursor: snapshot.cursor(),
    })),
  )
}

function changeRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute } = appContext

  registerRoute(app, appContext, routes.archivePost, ({ input: { id, isArchived = null }, actor, clientId }) =>
    execute(setPostArchived, actor, { postId: id, isArchived }, { clientId }),
  )
  registerRoute(app, appContext, routes.deletePost, ({ input, actor, clientId }) =>
    execute(deletePost, actor, { postId: input.id }, { clientId }),
  )
  for (const [route, isLiked] of [
    [reactions.likePost, true],
    [reactions.unlikePost, false],
  ] as const) {
    registerRoute(app, appContext, route, ({ input, actor, clientId, context }) => {
      const refusal = consumeLikeLimit(appContext, actor, context)
      return refusal ?? execute(setLike, actor, { postId: input.id, isLiked }, { clientId })
    })
  }
  registerRoute(app, appContext, reactions.commentPost, ({ input: { id, content }, actor, clientId, context }) => {
    const refusal = consumeCommentLimit(appContext, actor, context, content)
    return refusal ?? execute(commentPost, actor, { postId: id, content }, { clientId })
  })
  registerRoute(app, appContext, reactions.deleteComment, ({ input: { id, commentId }, actor, clientId }) =>
    execute(deleteComment, actor, { postId: id, commentId }, { clientId }),
  )
  registerRoute(
    app,
    appContext,
    routes.reportPost,
    ({ input, actor, clientId, context }) =>
      consumeReportLimit(appContext, actor, context) ?? execute(reportPost, actor, input, { clientId }),
  )
}

/** Reads from a post in one snapshot; NotFound for those who may not see it. */
function withPost<T>(
  reader: Reader,
  actor: Actor,
  id: PostId,
  read: (snapshot: Reader, viewer: Viewer, row: PostRow) => T,
): T | Refusal {
  return reader.snapshot((snapshot) => {
    const row = findVisiblePost(snapshot, actor, id)
    if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    return read(snapshot, viewerOf(snapshot, actor), row)
  })
}
