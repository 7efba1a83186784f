import * as v from 'valibot'
import { Count, Cursor, idText, PageCursor, route, Text } from '../protocol/define.ts'
import { CommentId, PostId } from '../protocol/ids.ts'
import { COMMENTS_PER_PAGE, LIKES_PER_PAGE, MAX_COMMENT_LENGTH, POST_CHANGE_LIMIT, POST_READ_LIMIT } from './limits.ts'
import { PostComment, PostCounts, PostLiker } from './post.ts'

const postTarget = { id: idText(PostId) }
const TextAnswer = v.object({ success: v.literal(true), message: v.string() })
const LikeAnswer = v.object({ success: v.literal(true), ...PostCounts.entries })

/** Likes and comments. Their events are in protocol.ts, because they come to those who watch posts. */
export const routes = {
  likePost: route({
    description: 'Likes a post. A repeated like changes nothing.',
    method: 'POST',
    path: '/posts/like/:id',
    access: 'member',
    // By user and address, in the handler.
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object(postTarget),
    answer: LikeAnswer,
  }),
  unlikePost: route({
    description: 'Takes a like back. Without one nothing changes.',
    method: 'DELETE',
    path: '/posts/like/:id',
    access: 'member',
    // By user and address, in the handler.
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object(postTarget),
    answer: LikeAnswer,
  }),
  likesOfPost: route({
    description: `The users who like a post, the latest first, ${LIKES_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/posts/like/:id',
    access: 'signedIn',
    limiter: POST_READ_LIMIT,
    input: v.object({ ...postTarget, before: v.optional(PageCursor) }),
    answer: v.object({
      success: v.literal(true),
      users: v.array(PostLiker),
      next: v.nullable(v.string()),
      likeCount: Count,
    }),
  }),
  commentPost: route({
    description: 'Comments on a post. The text is not empty after trimming; its mentions and emoji are those of chat.',
    method: 'POST',
    path: '/posts/comment/:id',
    access: 'member',
    // By user and address, in the handler: the cost is that of the text.
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object({ ...postTarget, content: Text(MAX_COMMENT_LENGTH) }),
    answer: v.object({ success: v.literal(true), comment: PostComment, counts: PostCounts }),
  }),
  commentsOfPost: route({
    description:
      `The comments of a post without those of users whom the viewer has blocked, the latest first, ${COMMENTS_PER_PAGE} at a time. ` +
      'A page can have fewer and `next` too.',
    method: 'GET',
    path: '/posts/comment/:id',
    access: 'signedIn',
    limiter: POST_READ_LIMIT,
    input: v.object({ ...postTarget, before: v.optional(idText(CommentId)) }),
    answer: v.object({
      success: v.literal(true),
      comments: v.array(PostComment),
      next: v.nullable(CommentId),
      commentCount: Count,
      cursor: Cursor,
    }),
  }),
  deleteComment: route({
    description: 'Deletes a comment, by its author or by the owner of the post.',
    method: 'DELETE',
    path: '/posts/comment/:id/:commentId',
    access: 'member',
    limiter: POST_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ ...postTarget, commentId: idText(CommentId) }),
    answer: TextAnswer,
  }),
}
