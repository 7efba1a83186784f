import type { Generated } from 'kysely'
import type {
  LedgerTransactionId,
  MoneyRequestId,
  PremiumPurchaseId,
  StarOptionId,
  UserId,
  WithdrawalOptionId,
} from '../../../shared/protocol/ids.ts'
import type { LedgerKind } from '../../../shared/wallet/ledger.ts'
import type { OptionStatus } from '../../../shared/wallet/options/protocol.ts'
import type { RequestKind, RequestStatus } from '../../../shared/wallet/requests/request.ts'

/** The site's own accounts. `bank` is the money outside, and the only account that may be negative. */
export type SiteAccountKind = 'bank' | 'roomIncome' | 'premiumIncome' | 'giftIncome' | 'withdrawals'
/** The two accounts of a user: money that was paid in, and money that others gave, which alone may be paid out. */
export type UserAccountKind = 'loaded' | 'earned'

export interface WalletTables {
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
  /** Amounts that can be loaded. */
  starOption: {
    id: Generated<StarOptionId>
    amountKurus: number
    status: OptionStatus
    /** When it was deleted; null while it is listed. */
    deletedAt: number | null
  }
  /** Amounts that can be withdrawn. */
  withdrawalOption: {
    id: Generated<WithdrawalOptionId>
    amountKurus: number
    status: OptionStatus
    deletedAt: number | null
  }
  /** One row. */
  premiumTerms: { id: 1; priceKurus: number; days: number }
  /** One row, or none while the account is not set. */
  bankDetails: { id: 1; bankName: string; accountHolder: string; iban: string }
  premiumPurchase: {
    id: Generated<PremiumPurchaseId>
    userId: UserId
    priceKurus: number
    days: number
    /** The end that it led to. */
    premiumUntil: number
    createdAt: number
  }
  /** Loads of balance and withdrawals, which root admins decide. Rows are never deleted, so an id is never given again. */
  moneyRequest: {
    id: Generated<MoneyRequestId>
    kind: RequestKind
    userId: UserId
    amountKurus: number
    status: RequestStatus
    /** The holder of the paying account; null for a withdrawal. */
    senderName: string | null
    /** Where a withdrawal is paid, without spaces; null for a load. */
    iban: string | null
    firstName: string | null
    lastName: string | null
    createdAt: number
    decidedAt: number | null
    decidedBy: UserId | null
  }
}
