import { createHmac } from 'node:crypto'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Fingerprint } from './queries.ts'

/** The browser and address of a request; null where unknown. */
export interface Origin {
  /** Of the page's storage. */
  browserId: string | null
  /** Of the browser's cookie (http/browser-cookie.ts). */
  cookie: string | null
  address: string | null
}

/** The hashes are keyed with a secret of the site, so that the rows alone do not reveal addresses. */
export function fingerprintOf({ keys }: Pick<AppContext, 'keys'>, { browserId, cookie, address }: Origin): Fingerprint {
  const hash = (kind: string, value: string | null) =>
    value === null ? null : createHmac('sha256', keys.fingerprint).update(`${kind} ${value}`).digest('base64url')
  return {
    browserHash: hash('browser', browserId),
    cookieHash: hash('browser', cookie),
    addressHash: hash('address', address && addressGroup(address)),
  }
}
