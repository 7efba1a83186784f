import type { HookHandlers } from '../database/define-hooks.ts'
import { carryGhostBan } from './ghost-bans.ts'

/** A ghost ban on a browser or address goes over to each guest and new member who comes from there. */
export const hooks: HookHandlers = { onFingerprintSaved: carryGhostBan, onMemberRegistered: carryGhostBan }
