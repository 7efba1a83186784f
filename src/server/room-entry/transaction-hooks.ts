import type { HookHandlers } from '../database/define-hooks.ts'
import { carryRoomBans, moveGrants } from './transactions.ts'

/**
 * Bans are judged by account, so those on a browser or address go over to each guest and new member who comes
 * from there. A session keeps the rooms whose password it gave.
 */
export const hooks: HookHandlers = { onMarksRecorded: carryRoomBans, onSessionReplaced: moveGrants }
