import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { onAccountMadePrivate } from '../../model/settings/transactions.ts'
import { commentPost } from './comment-post.ts'
import { createPost } from './create-post.ts'
import { deleteComment } from './delete-comment.ts'
import { deletePost } from './delete-post.ts'
import { purgePosts } from './purge-posts.ts'
import { removePostsOf, restrictPostsOf } from './remove-user.ts'
import { reportPost } from './report-post.ts'
import { setLike } from './set-like.ts'
import { setPostArchived } from './set-post-archived.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [createPost, setPostArchived, deletePost, setLike, commentPost, deleteComment, reportPost, purgePosts],
  hooks: [
    onUserRemoved.handledBy((tx, { userId }) => removePostsOf(tx, userId)),
    onAccountMadePrivate.handledBy((tx, { userId }) => restrictPostsOf(tx, userId)),
  ],
}
