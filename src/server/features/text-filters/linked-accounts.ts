import type { UserId } from '../../../shared/protocol/ids.ts'
import { MAX_LINKED_ACCOUNTS } from '../../../shared/text-filters/limits.ts'
import type { FingerprintKind, LinkedAccount } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { fingerprintsOfUser } from '../../model/fingerprints/queries.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { query } from '../../model/schema/query.ts'

export interface FindLinkedAccounts {
  userId: UserId
  now: number
}

/** What the accounts of one fingerprint share with another account. */
interface SharedFingerprints {
  browsers: number
  addresses: number
  lastSeenAt: number
}

/** Accounts of one fingerprint that are read: many share the address of a mobile network. */
const MAX_ACCOUNTS_OF_FINGERPRINT = 500

const usersOfFingerprint = query<{ hash: string; limit: number }>()((db, p) =>
  db
    .selectFrom('accountMark')
    .select(['userId', 'kind', 'lastSeenAt'])
    .where('hash', '=', p('hash'))
    .orderBy('lastSeenAt', 'desc')
    .limit(p('limit')),
)

/** The accounts that share fingerprints with this one: those with a shared browser first, then by what they share and when. */
export function findLinkedAccounts(
  reader: Reader,
  { userId, now }: FindLinkedAccounts,
): { browsers: number; addresses: number; accounts: LinkedAccount[]; hasMore: boolean } {
  const fingerprints = reader.all(fingerprintsOfUser, { userId })
  const sharedByUser = new Map<UserId, SharedFingerprints>()
  for (const { hash } of fingerprints)
    for (const other of reader.all(usersOfFingerprint, { hash, limit: MAX_ACCOUNTS_OF_FINGERPRINT }))
      if (other.userId !== userId) addFingerprint(sharedByUser, other)
  const sorted = [...sharedByUser].toSorted(
    ([, a], [, b]) => b.browsers - a.browsers || b.addresses - a.addresses || b.lastSeenAt - a.lastSeenAt,
  )
  const countOf = (kind: FingerprintKind): number =>
    fingerprints.filter((fingerprint) => fingerprint.kind === kind).length
  return {
    browsers: countOf('browser'),
    addresses: countOf('address'),
    accounts: sorted.slice(0, MAX_LINKED_ACCOUNTS).flatMap(([id, shared]) => {
      const user = reader.get(userById, { id })
      if (!user) return []
      return [
        {
          user: toUserSummary(user, now),
          isBanned: getActiveRestriction(reader, { kind: 'siteBan', userId: id }, now) !== undefined,
          ...shared,
        },
      ]
    }),
    hasMore: sorted.length > MAX_LINKED_ACCOUNTS,
  }
}

function addFingerprint(
  sharedByUser: Map<UserId, SharedFingerprints>,
  { userId, kind, lastSeenAt }: { userId: UserId; kind: FingerprintKind; lastSeenAt: number },
): void {
  const shared = sharedByUser.get(userId) ?? { browsers: 0, addresses: 0, lastSeenAt: 0 }
  if (kind === 'browser') shared.browsers++
  else shared.addresses++
  shared.lastSeenAt = Math.max(shared.lastSeenAt, lastSeenAt)
  sharedByUser.set(userId, shared)
}
