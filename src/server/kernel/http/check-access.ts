import type { Role } from '../../../shared/accounts/protocol.ts'
import type { CommandSpec, RouteSpec } from '../../../shared/protocol/define.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { MEMBERS_ONLY_TEXT } from '../../../shared/protocol/members-only.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import { maintenance } from './authentication.ts'

/** The user whom identity fields must name. */
interface NamedUser {
  id: UserId
  username: string
}

/**
 * Refuses a caller without the role that a live command or a route requires, and during maintenance. `role` is null
 * without a session.
 */
export function checkAccess(
  appContext: AppContext,
  { access, isOpenInMaintenance }: Pick<RouteSpec, 'access' | 'isOpenInMaintenance'>,
  role: Role | null,
): Refusal | null {
  if (access !== 'anyone' && role === null) return refuse('NotSignedIn')
  if (access === 'rootadmin' && role !== 'rootadmin') return refuse('Forbidden')
  if (access === 'member' && role === 'guest') return refuse('Forbidden', { message: MEMBERS_ONLY_TEXT })
  return !isOpenInMaintenance && appContext.service(maintenance).isClosedTo(role) ? refuse('Maintenance') : null
}

/** Checks a valid input: its identity fields must match the user of the session, and the limiter must allow it. */
export function checkInput(
  { personLimiters, clock }: AppContext,
  { identityFields, limiter }: Pick<CommandSpec, 'identityFields' | 'limiter'>,
  userId: UserId,
  /** Null if the session has ended meanwhile. */
  user: NamedUser | null,
  input: Readonly<Record<string, unknown>>,
): Refusal | null {
  if (user && !identityFields.every((field) => names(user, input[field]))) return refuse('ActorMismatch')
  const waitMs = limiter ? personLimiters.consume(limiter, userId, clock()) : 0
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}

/** Whether the value of an identity field is the user's id, username or an object of both. An absent one matches. */
function names(user: NamedUser, claimed: unknown): boolean {
  if (claimed === undefined) return true
  if (typeof claimed === 'string') return claimed === user.username
  if (typeof claimed === 'number') return claimed === user.id
  if (typeof claimed !== 'object' || claimed === null || Array.isArray(claimed)) return false
  const { id, username } = claimed as { id?: unknown; username?: unknown } // an object here; both fields are checked below
  return names(user, id) && names(user, username)
}

/** The refusal for what a handler threw: Busy if the database was, else a bug, which is logged. */
export function refuseFailure({ log }: AppContext, error: unknown, handler: { route: string } | { command: string }) {
  if (isSqliteBusy(error)) return refuse('Busy')
  log.error({ err: error, ...handler }, 'a handler failed')
  return refuse('Failed')
}
