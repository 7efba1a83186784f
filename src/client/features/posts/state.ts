import type { Post, PostSort } from '../../../shared/posts/post.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { CommentList } from './comments/comment-list.ts'
import { PostFeed } from './lists/post-feed.ts'
import { PostList, type PostListPlatform } from './lists/post-list.ts'
import { fetchArchive, fetchComments, fetchPost, fetchPosts, fetchSinglePost, sendLike } from './posts-api.ts'

/** This tab's watched posts. */
export const postFeed = new PostFeed(live)

/** The posts of a user in one order. */
export function createPostList(userId: UserId, sort: PostSort): PostList {
  return new PostList(platformWith({ fetchPage: (before) => fetchPosts(userId, sort, before) }), userId, sort)
}

/** The viewer's archive. */
export function createArchive(userId: UserId, onUnarchived: () => void): PostList {
  const platform = platformWith({ fetchPage: (before) => fetchArchive(userId, before), onUnarchived })
  return new PostList(platform, userId, 'archive')
}

/** One post of a user. */
export function createSinglePost(userId: UserId, id: PostId): PostList {
  return new PostList(platformWith({ fetchPage: () => fetchSinglePost(id) }), userId, 'single')
}

export function createCommentList(post: Pick<Post, 'id' | 'userId'>): CommentList {
  return new CommentList({ feed: postFeed, fetchPage: (before) => fetchComments(post.id, before) }, post)
}

function platformWith(own: Pick<PostListPlatform, 'fetchPage' | 'onUnarchived'>): PostListPlatform {
  return { feed: postFeed, viewerId: session.userId(), fetchPost, sendLike, ...own }
}
