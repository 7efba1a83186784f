import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'

/**
 * The origin of a request: a page of this site, none (programs send no Origin header; browsers send it with every
 * write), or a page of another site.
 */
export type RequestOrigin = 'allowed' | 'absent' | 'notAllowed'

/** Compares the Origin header with the Host header and `MEYDAN_ORIGINS`. */
export function requestOrigin(config: Pick<Config, 'origins'>, incoming: IncomingMessage): RequestOrigin {
  const { origin, host } = incoming.headers
  if (origin === undefined) return 'absent'
  if (config.origins.includes(origin)) return 'allowed'
  // Either scheme is allowed: behind a proxy that terminates TLS the request arrives over http.
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`) ? 'allowed' : 'notAllowed'
}
