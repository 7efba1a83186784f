import type { UserId } from '../../../shared/protocol/ids.ts'
import { FINGERPRINT_TOUCH_INTERVAL_MS } from '../../../shared/text-filters/limits.ts'
import type { FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

/** Keyed hashes of the browser and the address of a request; null where unknown. */
export interface Fingerprint {
  /** Of the id in the page's storage. */
  browserHash: string | null
  /** Of the id in the browser's cookie, which is usually the same. */
  cookieHash?: string | null | undefined
  addressHash: string | null
  /** The address may belong to a proxy and so to many people: it is compared with bans, and never banned. */
  isSharedAddress?: boolean | undefined
}

/** The browsers and addresses of an account, those seen last first. */
export const fingerprintsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('accountMark').selectAll().where('userId', '=', p('userId')).orderBy('lastSeenAt', 'desc'),
)
const fingerprintOfUser = query<{ userId: UserId; kind: FingerprintKind; hash: string }>()((db, p) =>
  db
    .selectFrom('accountMark')
    .select('lastSeenAt')
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('hash', '=', p('hash')),
)

/** Whether all fingerprints were written within `FINGERPRINT_TOUCH_INTERVAL_MS`. */
export function areFingerprintsCurrent(
  reader: Pick<Reader, 'get'>,
  userId: UserId,
  { browserHash, cookieHash = null, addressHash }: Fingerprint,
  now: number,
): boolean {
  const isCurrent = (kind: FingerprintKind, hash: string | null): boolean => {
    if (hash === null) return true
    const fingerprint = reader.get(fingerprintOfUser, { userId, kind, hash })
    return fingerprint !== undefined && now - fingerprint.lastSeenAt < FINGERPRINT_TOUCH_INTERVAL_MS
  }
  return isCurrent('browser', browserHash) && isCurrent('browser', cookieHash) && isCurrent('address', addressHash)
}

/** The hash of the address where an account was seen last, or else of its browser; null when neither is known. */
export function latestFingerprintHash(reader: Pick<Reader, 'all'>, userId: UserId): string | null {
  const fingerprints = reader.all(fingerprintsOfUser, { userId })
  return (fingerprints.find(({ kind }) => kind === 'address') ?? fingerprints[0])?.hash ?? null
}
