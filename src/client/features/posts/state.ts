import type { Post, PostSort } from '../../../shared/posts/post.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { CommentList } from './comments/comment-list.ts'
import { PostFeed } from './lists/post-feed.ts'
import { PostList, type PostListPlatform, type PostSource } from './lists/post-list.ts'
import { archiveOf, commentsOf, fetchPost, postsOf, sendLike, singlePost } from './posts-api.ts'

/** This tab's watched posts. */
export const postFeed = new PostFeed(live)

/** The posts of a user in one order. */
export function createPostList(userId: UserId, sort: PostSort): PostList {
  return new PostList(platformWith(postsOf(userId, sort)), userId, sort)
}

/** The viewer's archive. */
export function createArchive(userId: UserId, onUnarchived: () => void): PostList {
  const platform = platformWith({ ...archiveOf(userId), onUnarchived })
  return new PostList(platform, userId, 'archive')
}

/** One post of a user. */
export function createSinglePost(userId: UserId, id: PostId): PostList {
  return new PostList(platformWith(singlePost(id)), userId, 'single')
}

export function createCommentList(post: Pick<Post, 'id' | 'userId'>): CommentList {
  return new CommentList(postFeed, commentsOf(post.id), post)
}

function platformWith(own: PostSource & Pick<PostListPlatform, 'onUnarchived'>): PostListPlatform {
  return { feed: postFeed, viewerId: session.userId(), fetchPost, sendLike, ...own }
}
