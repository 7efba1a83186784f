import type { HookHandlers } from '../database/define-hooks.ts'
import { eraseNamesOf } from './transactions.ts'

/** A guest whose name was released keeps it in the log: it says whom an action was about. */
export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId, reason }) => {
    if (reason === 'accountErased') eraseNamesOf(tx, userId)
  },
}
