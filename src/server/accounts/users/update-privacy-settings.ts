import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../live/handler.ts'
import { setOwnPrivacy } from '../../settings/set-privacy.ts'
import { signToken } from '../tokens/tokens.ts'

/** The acknowledgement brings a renewed token (specification 2, point 4), so it is made where tokens are. */
export const updatePrivacySettings: Handler<'updatePrivacySettings'> = async (world, connection, input) => {
  const { username: _, clientId, ...changes } = input
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const done = await world.execute(setOwnPrivacy, viewer, changes, { clientId })
  if (done instanceof Refusal) return done
  return { success: true, token: await signToken(world.keys, 'userToken', viewer, world.clock()) }
}
