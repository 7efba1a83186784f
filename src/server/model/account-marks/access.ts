import { createHmac } from 'node:crypto'
import type { Role } from '../../../shared/accounts/protocol.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import { toBanRefusal } from '../moderation/access.ts'
import { getActiveBanOfFingerprint } from '../moderation/queries.ts'
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

/**
 * The refusal of a person who enters the site from a banned browser or address, else null. The only decision on both, made
 * at each sign-in, sign-up and hello. A banned address applies to guests and sign-ups; root admins are never refused.
 * @param role of the account; that of a guest at a sign-up
 */
export function findMarkBan(
  reader: Pick<Reader, 'get'>,
  { role, fingerprint, enteredAt }: { role: Role; fingerprint: Fingerprint; enteredAt: number },
  now: number,
): Refusal | null {
  if (role === 'rootadmin') return null
  const covered = role === 'guest' ? fingerprint : { ...fingerprint, addressHash: null }
  const ban = getActiveBanOfFingerprint(reader, covered, enteredAt, now)
  return ban ? toBanRefusal(ban) : null
}
