import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { carryRoomBans, moveGrants } from '../../model/room-entry/transactions.ts'

/**
 * Bans are decided by account, so those on a browser or address extend to each guest and new member who uses it.
 * A replaced session keeps the rooms whose password it gave.
 */
export const hooks: HookHandlers = { onMarksRecorded: carryRoomBans, onSessionReplaced: moveGrants }
