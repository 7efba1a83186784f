import type { HookHandlers } from '../database/define-hooks.ts'
import { showPrivacy } from './transactions.ts'

export const hooks: HookHandlers = { onGhostBanEnded: (tx, { userId }) => showPrivacy(tx, userId) }
