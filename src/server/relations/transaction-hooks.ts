import type { HookHandlers } from '../database/define-hooks.ts'
import { deleteAllBlocksOf } from './unblock-user.ts'

export const hooks: HookHandlers = {
  onGuestNameReleased: (tx, { userId }) => deleteAllBlocksOf(tx, userId),
}
