import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { closeAllSessions } from '../../model/sessions/transactions.ts'

export const hooks: HookHandlers = {
  onUserBanned: (tx, { userId, message }) => closeAllSessions(tx, userId, message),
}
