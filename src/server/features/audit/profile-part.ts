import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import { MAX_PROFILE_ACTIONS } from '../../../shared/audit/limits.ts'
import type { Action } from '../../../shared/audit/protocol.ts'
import { listActionsOfUser } from '../../model/audit/queries.ts'
import type { ProfilePart } from '../../model/profiles/queries.ts'
import { actionKinds } from './action-kinds.ts'

/** What the user did and what was done to them, for root admins. */
export const profilePart: ProfilePart = (reader, { user, actor }) =>
  actor.role === 'rootadmin' ? { actions: listActionsOfUser(reader, user.id, MAX_PROFILE_ACTIONS).map(toLogEntry) } : {}

/** An action in the words of specification 1, point 3. What is not known is absent. */
function toLogEntry({ kind, at, actor, target, room, reason, endsAt }: Action): ActionLogEntry {
  const { logType = 'other', label } = actionKinds.get(kind) ?? {}
  const fields = {
    label,
    banningUsername: actor?.username,
    targetUsername: target?.username,
    roomName: room?.name,
    reason,
    endsAt,
  }
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return { type: logType, timestamp: at, ...Object.fromEntries(known) }
}
