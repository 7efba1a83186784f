import * as v from 'valibot'
import { UploadId } from '../media/resumable-uploads.ts'
import { WholeNumberText } from '../media/upload-form.ts'
import {
  Count,
  Cursor,
  command,
  ephemeralEvent,
  idText,
  loggedEvent,
  PageCursor,
  route,
  Text,
} from '../protocol/define.ts'
import { CommentId, PostId, UserId } from '../protocol/ids.ts'
import { reportFields } from '../reports/report-fields.ts'
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_VIDEO_DURATION_MS,
  MAX_VIDEO_EDGE_PX,
  MAX_WATCHED_USERS,
  POST_CHANGE_LIMIT,
  POST_READ_LIMIT,
  POST_UPLOAD_LIMIT,
  POSTS_PER_PAGE,
} from './limits.ts'
import { Post, PostComment, PostCounts, PostPerson, PostSort, PostType } from './post.ts'

const SuccessAnswer = v.object({ success: v.literal(true) })
const TextAnswer = v.object({ success: v.literal(true), message: v.string() })
const postTarget = { id: idText(PostId) }
const postPage = {
  posts: v.array(Post),
  /** The `before` of the next page, null on the last one. */
  next: v.nullable(v.string()),
  /** Events of the posts up to here are in the page. */
  cursor: Cursor,
}

export const commands = {
  watchPosts: command({
    description:
      "Watches the posts of a user: this connection gets the events of the user's posts from `cursor` on, until " +
      '`unwatchPosts`, `postsClosed` or its end. Fetch the posts after the answer. Refused when the viewer may not see ' +
      `the profile. A connection watches ${MAX_WATCHED_USERS} users; one more ends the oldest.`,
    access: 'signedIn',
    limiter: POST_READ_LIMIT,
    input: v.object({ userId: UserId }),
    answer: v.object({ success: v.literal(true), cursor: Cursor }),
  }),
  unwatchPosts: command({
    description: 'Ends `watchPosts`.',
    access: 'signedIn',
    input: v.object({ userId: UserId }),
    answer: SuccessAnswer,
  }),
  postArchived: command({
    description: 'Accepted for the specification; the HTTP call has already done its work.',
    access: 'signedIn',
    input: v.object({ postId: v.optional(PostId), isArchived: v.optional(v.boolean()) }),
    answer: SuccessAnswer,
  }),
}

export const events = {
  postCreated: loggedEvent({
    description: 'A post was published; to those who watch the posts of its owner, as all following events.',
    marksGhosts: true,
    payload: v.object({ post: Post, isGhost: v.optional(v.literal(true)) }),
  }),
  postArchived: loggedEvent({
    description:
      'The owner has archived a post, or taken it out of the archive: then viewers fetch it (`GET /posts/{id}`) and show ' +
      'it at the top until the next load.',
    payload: v.object({ postId: PostId, isArchived: v.boolean(), userId: UserId }),
  }),
  postDeleted: loggedEvent({
    description: 'A post is gone. That of an archived one comes to the connections of its owner only.',
    payload: v.object({ postId: PostId, userId: UserId }),
  }),
  postCountsChanged: loggedEvent({
    description: 'A post was liked or commented on, or that was taken back.',
    payload: PostCounts,
  }),
  postCommented: loggedEvent({
    description:
      'A comment that a post is shown with: a new one, or an older one that is among the latest again after another was ' +
      'deleted. `postCountsChanged` follows.',
    hiddenByBlock: true,
    marksGhosts: true,
    payload: v.object({ userId: UserId, comment: PostComment, isGhost: v.optional(v.literal(true)) }),
  }),
  postCommentDeleted: loggedEvent({
    description: 'A comment was deleted by its author or by the owner of the post. `postCountsChanged` follows.',
    payload: v.object({ postId: PostId, userId: UserId, commentId: CommentId }),
  }),
  postsRestricted: loggedEvent({
    description:
      'The account became private, or with `isGone` it is removed: those who may not see it get `postsClosed`.',
    payload: v.object({ userId: UserId, isGone: v.boolean() }),
  }),
  postsClosed: ephemeralEvent({
    description:
      'The connection watches the posts of this user no longer: the viewer may not see the profile any more.',
    payload: v.object({ userId: UserId }),
  }),
}

export const routes = {
  createPost: route({
    description:
      'Publishes a photo or a video: `file`, or the `uploadId` of a finished upload, and `poster`, a picture of a video. For premium members and root admins. The ' +
      'type is read from the bytes. Photos (JPEG, PNG, WebP, GIF, AVIF; at most 20 MB) are re-encoded in three sizes; ' +
      'videos (MP4, WebM; at most 100 MB) are stored as they are. `durationMs`, `width` and `height` are those of a video.',
    method: 'POST',
    path: '/posts',
    access: 'member',
    limiter: POST_UPLOAD_LIMIT,
    retry: 'idempotencyKey',
    fileFields: ['file', 'poster'],
    largeFileField: 'file',
    input: v.object({
      type: PostType,
      uploadId: v.optional(UploadId),
      description: v.optional(Text(MAX_DESCRIPTION_LENGTH), ''),
      durationMs: v.optional(WholeNumberText(MAX_VIDEO_DURATION_MS)),
      width: v.optional(WholeNumberText(MAX_VIDEO_EDGE_PX)),
      height: v.optional(WholeNumberText(MAX_VIDEO_EDGE_PX)),
    }),
    answer: v.object({ success: v.literal(true), message: v.string(), post: Post }),
  }),
  postsOfUser: route({
    description:
      `The posts of a user that are not archived, ${POSTS_PER_PAGE} at a time, the newest first, the oldest first or by ` +
      'score; for those who may see the profile.',
    method: 'GET',
    path: '/posts/user/:id',
    access: 'signedIn',
    limiter: POST_READ_LIMIT,
    input: v.object({
      id: idText(UserId),
      sort: v.optional(PostSort, 'createdAt_DESC'),
      before: v.optional(PageCursor),
    }),
    answer: v.object({ success: v.literal(true), ...postPage, postCount: Count }),
  }),
  archivedPosts: route({
    description: `The archived posts of the sender, who is \`id\`, the newest first, ${POSTS_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/posts/user/archive/:id',
    access: 'member',
    limiter: POST_READ_LIMIT,
    input: v.object({ id: idText(UserId), before: v.optional(PageCursor) }),
    answer: v.object({ success: v.literal(true), ...postPage }),
  }),
  postById: route({
    description: 'One post; an archived one for its owner only.',
    method: 'GET',
    path: '/posts/:id',
    access: 'signedIn',
    limiter: POST_READ_LIMIT,
    input: v.object(postTarget),
    answer: v.object({ success: v.literal(true), post: Post, cursor: Cursor }),
  }),
  archivePost: route({
    description:
      'Moves a post of the sender into the archive, or out of it. With `isArchived` it has this state afterwards; without, it changes.',
    method: 'PUT',
    path: '/posts/archive/:id',
    access: 'member',
    limiter: POST_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ ...postTarget, isArchived: v.optional(v.boolean()) }),
    answer: v.object({ success: v.literal(true), message: v.string(), postId: PostId, isArchived: v.boolean() }),
  }),
  deletePost: route({
    description: 'Deletes a post of the sender with its likes, comments and files.',
    method: 'DELETE',
    path: '/posts/:id',
    access: 'member',
    limiter: POST_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object(postTarget),
    answer: TextAnswer,
  }),
  reportPost: route({
    description:
      'Reports a post to the root admins, as it is now. Its owner learns nothing. A repeated report changes nothing.',
    method: 'POST',
    path: '/posts/report',
    access: 'signedIn',
    limiter: POST_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ postId: PostId, ...reportFields }),
    answer: TextAnswer,
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Post, PostComment, PostCounts, PostPerson }
