import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { removePostsOf, restrictPostsOf } from './remove-user.ts'

export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId }) => removePostsOf(tx, userId),
  onAccountMadePrivate: (tx, { userId }) => restrictPostsOf(tx, userId),
}
