import { randomUUID } from 'node:crypto'
import { setCookie } from 'hono/cookie'
import type { AppContext } from '../../../kernel/app-context.ts'
import { BROWSER_COOKIE_NAME, browserCookie, fitsBrowserCookie } from '../../../kernel/http/browser-cookie.ts'
import { attributableAddress, clientAddress } from '../../../kernel/http/client-address.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { fingerprintOf } from '../../../model/account-marks/access.ts'
import type { Fingerprint } from '../../../model/account-marks/queries.ts'
import { cookieAttributes } from '../sessions/page-session.ts'

const LIFETIME_S = 365 * 24 * 60 * 60

/** The fingerprint of a request that signs in; `browserId` is the id in the page's storage. */
export function signInFingerprint(
  appContext: Pick<AppContext, 'keys' | 'settings'>,
  context: NodeContext,
  browserId: string | null = null,
): Fingerprint {
  const { settings } = appContext
  const { incoming } = context.env
  const address = clientAddress(settings, incoming) || null
  const isSharedAddress = attributableAddress(settings, incoming) === null
  return { ...fingerprintOf(appContext, { browserId, cookie: browserCookie(incoming), address }), isSharedAddress }
}

/**
 * Sets the cookie of a browser without one, to the id of its storage where that fits: both give the same mark then, as long
 * as the page keeps its id.
 */
export function nameBrowser(
  { settings }: Pick<AppContext, 'settings'>,
  context: NodeContext,
  browserId: string | null = null,
): void {
  if (browserCookie(context.env.incoming) !== null) return
  const name = browserId !== null && fitsBrowserCookie(browserId) ? browserId : randomUUID()
  setCookie(context, BROWSER_COOKIE_NAME, name, { ...cookieAttributes(settings, context), maxAge: LIFETIME_S })
}
