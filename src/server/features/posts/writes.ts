import { commentPost } from './comment-post.ts'
import { createPost } from './create-post.ts'
import { deleteComment } from './delete-comment.ts'
import { deletePost } from './delete-post.ts'
import { purgePosts } from './purge-posts.ts'
import { reportPost } from './report-post.ts'
import { setLike } from './set-like.ts'
import { setPostArchived } from './set-post-archived.ts'

/** The write commands of this feature. */
export const writes = [
  createPost,
  setPostArchived,
  deletePost,
  setLike,
  commentPost,
  deleteComment,
  reportPost,
  purgePosts,
]
