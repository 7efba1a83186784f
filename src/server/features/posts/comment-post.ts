import { defineWrite } from '../../kernel/database/define-write.ts'
import { addComment } from '../../model/posts/add-comment.ts'

/** The command of `addComment`. */
export const commentPost = defineWrite({
  name: 'commentPost',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: addComment,
})
