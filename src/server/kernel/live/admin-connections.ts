import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { authentication } from '../http/authentication.ts'
import { type Connection, isOpen } from './connection.ts'
import type { Handler } from './handler.ts'

/** Stores the admin token with the connection. It applies to a command that follows at once. */
export const adminConnected: Handler<'adminConnected'> = async (appContext, connection, { adminToken }) => {
  if (adminToken === undefined) return { success: true }
  if (isOpen(connection)) connection.state.adminToken = adminToken
  return (await checkAdminToken(appContext, connection)) ?? { success: true }
}

/**
 * Refuses a connection that has not shown a valid admin token of its own session. The token is verified at each command,
 * so that its expiry, the end of its session and the loss of the role apply at once.
 */
export async function checkAdminToken(appContext: AppContext, connection: Connection): Promise<Refusal | null> {
  const adminToken = isOpen(connection) ? connection.state.adminToken : null
  if (adminToken === null) return refuse('PasswordRequired')
  const actor = await appContext.service(authentication).authenticateAdmin(adminToken)
  if (actor instanceof Refusal) return actor.body.code === 'SessionEnded' ? refuse('PasswordRequired') : actor
  return actor.sessionId === connection.identity?.viewer.sessionId ? null : refuse('PasswordRequired')
}
