import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Feature, FeatureContext } from '../feature.ts'
import { authentication } from '../http/authentication.ts'
import { adminConnected } from './admin-connections.ts'
import { isOpen } from './connection.ts'
import type { Handler } from './handler.ts'
import { hello } from './hello.ts'

/** Binds the connection to the session of a new token of its user. A suspended connection continues. */
const userConnected: Handler<'userConnected'> = async (appContext, connection, { token }) => {
  if (token === undefined) return { success: true }
  const actor = await appContext.service(authentication).authenticate(token)
  if (actor instanceof Refusal) return actor
  if (!isOpen(connection)) return refuse('NotSignedIn')
  const { identity } = connection.state
  if (actor.userId !== identity.viewer.userId) return refuse('SessionEnded')
  const { role: _, ...claims } = actor
  identity.viewer = { ...identity.viewer, ...claims }
  appContext.publisher.resume(connection)
  return { success: true }
}

/** Opens connections. */
export function createFeature(_context: FeatureContext): Feature {
  return {
    handlers: {
      hello,
      userConnected,
      adminConnected,
    },
  }
}
