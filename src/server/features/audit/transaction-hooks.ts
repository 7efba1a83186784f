import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { eraseNamesOf } from '../../model/audit/transactions.ts'

/** A guest whose name was released keeps it in the log: it says whom an action was about. */
export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId, reason }) => {
    if (reason === 'accountErased') eraseNamesOf(tx, userId)
  },
}
