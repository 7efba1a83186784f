import type { Generated } from 'kysely'
import type { LedgerTransactionId, UserId } from '../../../shared/protocol/ids.ts'
import type { LedgerKind } from '../../../shared/wallet/ledger.ts'

/** The site's own accounts. `bank` is the money outside, and the only account that may be negative. */
export type SiteAccountKind = 'bank' | 'roomIncome' | 'premiumIncome' | 'giftIncome' | 'withdrawals'
/** The two accounts of a user: money that was paid in, and money that others gave, which alone may be paid out. */
export type UserAccountKind = 'loaded' | 'earned'

declare module '../../kernel/database/schema.ts' {
  interface Database {
    ledgerAccount: {
      id: Generated<number>
      kind: SiteAccountKind | UserAccountKind
      userId: UserId | null
      /** Kept by a trigger: that of the account's last entry. */
      balanceKurus: Generated<number>
    }
    ledgerTransaction: {
      id: Generated<LedgerTransactionId>
      kind: LedgerKind
      /** The room, request, gift or premium purchase. */
      referenceId: number
      actorId: UserId | null
      createdAt: number
    }
    ledgerEntry: {
      transactionId: LedgerTransactionId
      accountId: number
      amountKurus: number
      /** Of the account, after this entry. */
      balanceKurus: number
    }
  }
}
