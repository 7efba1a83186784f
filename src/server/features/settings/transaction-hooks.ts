import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { showPrivacy } from '../../model/settings/transactions.ts'

export const hooks: HookHandlers = { onGhostBanEnded: (tx, { userId }) => showPrivacy(tx, userId) }
