import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'

export interface FingerprintTables {
  /** Keyed hashes of the browsers and addresses that an account has used lately. */
  accountMark: { userId: UserId; kind: FingerprintKind; hash: string; firstSeenAt: number; lastSeenAt: number }
}
