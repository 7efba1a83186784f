import type { HookHandlers } from '../database/define-hooks.ts'
import { deleteAdminEverywhere } from './room-admins.ts'

export const hooks: HookHandlers = { onUserRemoved: (tx, { userId }) => deleteAdminEverywhere(tx, userId) }
