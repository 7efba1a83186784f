import type { UserId } from '../../../shared/protocol/ids.ts'
import type { MarkKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'

export interface AccountMarkTables {
  /** Keyed hashes of the browsers and addresses that an account has used lately. */
  accountMark: { userId: UserId; kind: MarkKind; hash: string; firstSeenAt: number; lastSeenAt: number }
}
