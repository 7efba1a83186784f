import type { Generated } from 'kysely'
import type { PostType } from '../../../shared/posts/post.ts'
import type { CommentId, PostId, UserId } from '../../../shared/protocol/ids.ts'
import type { Flag } from '../../kernel/database/schema.ts'

export interface PostTables {
  /** The last id of a table whose ids are never given again. */
  postSequence: { name: 'post' | 'comment'; lastId: number }
  post: {
    id: PostId
    userId: UserId
    type: PostType
    /** Names below `/uploads/`: the largest photo or the video, and a photo in smaller sizes or the poster of a video. */
    path: string
    mediumPath: string | null
    thumbnailPath: string | null
    sizeBytes: number
    width: number | null
    height: number | null
    durationMs: number | null
    /** A WebP picture of a few pixels, in base64. */
    blur: string | null
    description: string
    isArchived: Flag
    createdAt: number
    likeCount: number
    commentCount: number
    /** `likeCount`, and two for each user who has commented. */
    score: number
    /** Unused: reports keep their files themselves. A later release drops it. */
    isReported: Flag
    /** Nobody sees it any more. */
    deletedAt: number | null
    /** A job deletes its likes, its comments and its row. */
    isPurging: Flag
    /** `actor`: for its owner and root admins, because it was made during a ghost ban; null: for all. */
    audience: Generated<'actor' | null>
  }
  /** How many posts of a user are neither archived nor deleted. */
  postTotal: { userId: UserId; postCount: number }
  postFile: { path: string; postId: PostId }
  /** Likes and comments have an audience as posts do. The counts of a post are without those that are not for all. */
  postLike: { postId: PostId; userId: UserId; createdAt: number; audience: Generated<'actor' | null> }
  postComment: {
    id: CommentId
    postId: PostId
    userId: UserId
    content: string
    createdAt: number
    audience: Generated<'actor' | null>
  }
  /** A user who is removed for good, and whose likes and comments a job deletes. */
  postPurgedUser: { userId: UserId }
}
