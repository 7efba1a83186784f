import * as v from 'valibot'
import { UserSummary } from '../accounts/protocol.ts'
import { Count, Time } from '../protocol/define.ts'
import { CommentId, PostId, UserId } from '../protocol/ids.ts'

export const PostType = v.picklist(['photo', 'video'])
export type PostType = v.InferOutput<typeof PostType>

/** The order of a list of posts (specification 1, point 9); the first is the default. */
export const PostSort = v.picklist(['createdAt_DESC', 'createdAt_ASC', 'score'])
export type PostSort = v.InferOutput<typeof PostSort>

/** A user beside a comment and in the list of likes. */
export const PostPerson = v.pick(UserSummary, ['id', 'username', 'avatarUrl', 'gender', 'isGuest'])
export type PostPerson = v.InferOutput<typeof PostPerson>

/** A user in the list of likes. */
export const PostLiker = v.object({
  ...PostPerson.entries,
  /** Set for root admins only: the user was ghost-banned, and no other user but this one sees the like. */
  isGhost: v.optional(v.literal(true)),
})
export type PostLiker = v.InferOutput<typeof PostLiker>

/** A comment (specification 1, point 3). Its text has mentions and emoji as in chat. */
export const PostComment = v.object({
  id: CommentId,
  postId: PostId,
  content: v.string(),
  createdAt: Time,
  User: PostPerson,
  /** Set for root admins only: its author was ghost-banned, and no other user but the author sees it. */
  isGhost: v.optional(v.literal(true)),
})
export type PostComment = v.InferOutput<typeof PostComment>

const Like = v.object({ userId: UserId })

/** A post (specification 1, point 3). Paths are below the site's root: `/uploads/...`. */
export const Post = v.object({
  id: PostId,
  /** The owner. */
  userId: UserId,
  type: PostType,
  /** The photo in its largest size, or the video. */
  url: v.string(),
  /** A photo in two smaller sizes, or the poster of a video; null for a video without one. */
  mediumUrl: v.nullable(v.string()),
  thumbnailUrl: v.nullable(v.string()),
  /** Pixels of the photo or video, so that its place is reserved. */
  width: v.nullable(Count),
  height: v.nullable(Count),
  durationMs: v.nullable(Count),
  /** A WebP picture of a few pixels in base64, shown until the thumbnail is loaded. */
  blur: v.nullable(v.string()),
  description: v.string(),
  isArchived: v.boolean(),
  createdAt: Time,
  /** One for each like, and two for each user who has commented. */
  score: Count,
  likeCount: Count,
  commentCount: Count,
  /** Whether the viewer likes it. */
  isLiked: v.boolean(),
  /** The latest likes, the latest first. */
  Likes: v.array(Like),
  /** Of the latest comments those whose authors the viewer has not blocked, the oldest first. */
  Comments: v.array(PostComment),
  /** Set for root admins only: its author was ghost-banned, and no other user but the author sees it. */
  isGhost: v.optional(v.literal(true)),
})
export type Post = v.InferOutput<typeof Post>

/** The counts of a post after a change, and which likes and comments are its latest. */
export const PostCounts = v.object({
  postId: PostId,
  /** The owner of the post. */
  userId: UserId,
  score: Count,
  likeCount: Count,
  commentCount: Count,
  Likes: v.array(Like),
  /** Ids of the comments that the post has with it, the oldest first. */
  commentIds: v.array(CommentId),
  /** Who has just liked the post, or taken a like back; null after a change of its comments. */
  like: v.nullable(v.object({ userId: UserId, isLiked: v.boolean() })),
})
export type PostCounts = v.InferOutput<typeof PostCounts>
