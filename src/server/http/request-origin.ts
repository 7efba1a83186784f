import type { IncomingMessage } from 'node:http'
import type { Settings } from '../settings.ts'

/**
 * Where a request says it comes from: a page of ours, nowhere (programs do not say; browsers always do when a page
 * changes something), or a page of somebody else.
 */
export type RequestOrigin = 'allowed' | 'absent' | 'notAllowed'

/** Judges the Origin header against the host that was asked and `MEYDAN_ORIGINS`. */
export function requestOrigin(settings: Pick<Settings, 'origins'>, incoming: IncomingMessage): RequestOrigin {
  const { origin, host } = incoming.headers
  if (origin === undefined) return 'absent'
  if (settings.origins.includes(origin)) return 'allowed'
  // The scheme is left open: behind a proxy that ends TLS we are asked over http.
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`) ? 'allowed' : 'notAllowed'
}
