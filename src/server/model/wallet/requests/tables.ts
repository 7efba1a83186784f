import type { Generated } from 'kysely'
import type { MoneyRequestId, UserId } from '../../../../shared/protocol/ids.ts'
import type { RequestKind, RequestStatus } from '../../../../shared/wallet/request.ts'

declare module '../../../kernel/database/schema.ts' {
  interface Database {
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
}
