import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { carryGhostBan } from '../../model/moderation/ghost-bans.ts'
import { carrySiteBan } from '../../model/moderation/transactions.ts'

/** Bans of a browser or an address extend to each guest and new member who uses it. */
export const hooks: HookHandlers = {
  onMarksRecorded(tx, entry) {
    carryGhostBan(tx, entry)
    carrySiteBan(tx, entry)
  },
}
