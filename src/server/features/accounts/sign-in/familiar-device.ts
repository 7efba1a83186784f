import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { cookieAttributes } from '../sessions/page-session.ts'

const COOKIE_NAME = 'meydan_device'
/** The longest time for which browsers keep a cookie. */
const MAX_AGE_S = 400 * 24 * 60 * 60
const DEVICE_ID_BYTES = 12
/** A device id and an HMAC-SHA-256, in base64url. */
const cookiePattern = /^([\w-]{16})\.([\w-]{43})$/

/** An account as it is stored; a guest has no hash. */
interface Account {
  id: UserId
  passwordHash: string | null
}

/**
 * The id of the request's device if this account's present password was right on it before, or null. Costs the same for an
 * unknown account.
 */
export function findFamiliarDevice(
  { keys }: Pick<AppContext, 'keys'>,
  context: NodeContext,
  account: Account | null | undefined,
): string | null {
  const [, deviceId, mac] = cookiePattern.exec(getCookie(context, COOKIE_NAME) ?? '') ?? []
  if (deviceId === undefined || mac === undefined) return null
  const expected = macOf({ keys }, deviceId, { id: account?.id ?? 0, passwordHash: account?.passwordHash ?? '' })
  const isFamiliar = timingSafeEqual(Buffer.from(mac, 'base64url'), expected)
  return isFamiliar && account?.passwordHash != null ? deviceId : null
}

/** Makes the device familiar to the account, whose password was right just now. It keeps its id. */
export function rememberDevice(
  appContext: Pick<AppContext, 'keys' | 'reader' | 'config'>,
  context: NodeContext,
  userId: UserId,
): void {
  const account = appContext.reader.get(userById, { id: userId })
  if (account?.passwordHash == null) return
  const deviceId =
    findFamiliarDevice(appContext, context, account) ?? randomBytes(DEVICE_ID_BYTES).toString('base64url')
  setCookie(context, COOKIE_NAME, `${deviceId}.${macOf(appContext, deviceId, account).toString('base64url')}`, {
    ...cookieAttributes(appContext.config, context),
    path: '/api',
    sameSite: 'Strict',
    maxAge: MAX_AGE_S,
  })
}

/** Over the stored hash too, so that any change of the password revokes all devices. */
function macOf({ keys }: Pick<AppContext, 'keys'>, deviceId: string, { id, passwordHash }: Account): Buffer {
  return createHmac('sha256', keys.device).update(`${deviceId} ${id} ${passwordHash}`).digest()
}
