import type { HookHandlers } from '../database/define-hooks.ts'
import { deleteAdminEverywhere } from './room-admins.ts'
import { deleteVisitsOf } from './transactions.ts'

export const hooks: HookHandlers = {
  onUserRemoved(tx, { userId, reason }) {
    deleteAdminEverywhere(tx, userId)
    // A guest who has gone stays in the list until the visit is old.
    if (reason === 'accountErased') deleteVisitsOf(tx, userId)
  },
}
