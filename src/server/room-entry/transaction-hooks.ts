import type { HookHandlers } from '../database/define-hooks.ts'
import { carryRoomBans } from './transactions.ts'

/** Bans are judged by account, so those on a browser or address go over to each guest and new member who comes from there. */
export const hooks: HookHandlers = { onFingerprintSaved: carryRoomBans, onMemberRegistered: carryRoomBans }
