import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import { Refusal, type RefusalCode, refuse } from '../../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { requestOrigin } from '../../../kernel/http/request-origin.ts'
import { bearerToken } from '../../../kernel/http/route.ts'
import { findRestriction } from '../../../model/restrictions/queries.ts'
import { verifyToken } from '../tokens/tokens.ts'
import { readCookieClaims } from './page-session.ts'
import { renewKey } from './session-keys.ts'

const denials: ReadonlySet<RefusalCode> = new Set(['NotSignedIn', 'SessionEnded', 'Banned'] as const)

/** Whether the refusal is about the session; any other one says that the primary could not be asked. */
export function deniesSession({ body }: Refusal): boolean {
  return denials.has(body.code)
}

/** Whether the request ended its session by an old key. */
export function isTokenCopied({ body }: Refusal): boolean {
  return body.message === sessionEndMessages.tokenCopied
}

/** Renews the key of the request's session and returns its claims. Refuses with NotSignedIn, SessionEnded or Banned. */
export async function renewRequestKey(appContext: AppContext, context: NodeContext): Promise<Claims | Refusal> {
  const presented = await presentedClaims(appContext, context)
  if (presented instanceof Refusal) return presented
  const renewed = await appContext.execute(renewKey, null, { presented })
  if (renewed instanceof Refusal) {
    if (renewed.body.code !== 'SessionEnded') return renewed
    const bans = presented.map(({ userId }) =>
      findRestriction(appContext.reader, { kind: 'siteBan', userId }, appContext.clock()),
    )
    return bans.find((ban) => ban !== null) ?? renewed
  }
  return renewed.claims ?? refuse('SessionEnded', { message: sessionEndMessages.tokenCopied })
}

/** The claims of the token, also of an expired one, and of the cookie when the request comes from an allowed origin. */
export async function presentedClaims(appContext: AppContext, context: NodeContext): Promise<Claims[] | Refusal> {
  const { keys, config, clock } = appContext
  const token = bearerToken(context)
  const byToken = token === null ? null : await verifyToken(keys, 'userToken', token, clock(), 'accepted')
  const isAllowedOrigin = requestOrigin(config, context.env.incoming) === 'allowed'
  const byCookie = isAllowedOrigin ? await readCookieClaims(appContext, context) : null
  const presented = [byToken, byCookie].flatMap((claims) =>
    claims === null || claims instanceof Refusal ? [] : [claims],
  )
  if (presented.length > 0) return presented
  return refuse(token === null && byCookie === null ? 'NotSignedIn' : 'SessionEnded')
}
