import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { deleteVisitsOf } from '../../model/room-management/transactions.ts'
import { deleteAdminEverywhere } from './room-admins.ts'

export const hooks: HookHandlers = {
  onUserRemoved(tx, { userId, reason }) {
    deleteAdminEverywhere(tx, userId)
    // A guest who has gone stays in the list until the visit is old.
    if (reason === 'accountErased') deleteVisitsOf(tx, userId)
  },
}
