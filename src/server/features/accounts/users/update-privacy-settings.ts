import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { Handler } from '../../../kernel/live/handler.ts'
import { signToken } from '../tokens/tokens.ts'
import { setOwnPrivacy } from './set-own-privacy.ts'

/** The answer carries a renewed token (specification 2, point 4), so the handler is in accounts. */
export const updatePrivacySettings: Handler<'updatePrivacySettings'> = async (appContext, connection, input) => {
  const { username: _, clientId, ...changes } = input
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const result = await appContext.execute(setOwnPrivacy, viewer, changes, { clientId })
  if (result instanceof Refusal) return result
  return { success: true, token: await signToken(appContext.keys, 'userToken', viewer, appContext.clock()) }
}
