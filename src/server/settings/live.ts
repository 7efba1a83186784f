import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { signToken } from '../accounts/tokens.ts'
import type { Handler } from '../live/outcome.ts'

/** The acknowledgement brings a renewed token (specification 2, point 4). */
export const updatePrivacySettings: Handler<'updatePrivacySettings'> = async (world, connection, input) => {
  const { username: _, clientId, ...changes } = input
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const done = await world.execute('updatePrivacySettings', viewer, changes, clientId ? { clientId } : {})
  if (done instanceof Refusal) return done
  return { success: true, token: await signToken(world.keys, 'userToken', viewer, world.clock()) }
}
