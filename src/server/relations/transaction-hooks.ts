import type { HookHandlers } from '../database/define-hooks.ts'
import { acceptAllRequests } from './answer-follow-request.ts'
import { deleteAllBlocksOf } from './unblock-user.ts'

export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId }) => deleteAllBlocksOf(tx, userId),
  onAccountMadePublic: (tx, { userId }) => acceptAllRequests(tx, userId),
}
