import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { isHttps } from './client-address.ts'

/** The origin at which the browser reaches the site, such as `https://meydan.example`; null when the request names no host. */
export function siteOrigin(config: Pick<Config, 'trustedProxies'>, incoming: IncomingMessage): string | null {
  const { host = '' } = incoming.headers
  const url = URL.parse(`${isHttps(config, incoming) ? 'https' : 'http'}://${host}`)
  // A host with a path, a user or a query would come back as something else.
  return url !== null && url.host !== '' && url.href === `${url.origin}/` ? url.origin : null
}
