import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { addComment } from '../../model/posts/add-comment.ts'

/** The command of `addComment`. */
export const commentPost = defineCommand({
  name: 'commentPost',
  run: addComment,
})
