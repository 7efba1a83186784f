import * as v from 'valibot'
import { Time } from '../../protocol/define.ts'
import { LedgerTransactionId } from '../../protocol/ids.ts'
import { type LedgerKind, ledgerKinds } from '../ledger.ts'
import { Lira, LiraChange } from '../lira.ts'

/** One movement of a user's balance. Amounts are in lira; what was spent is negative. */
export const StatementRow = v.object({
  id: LedgerTransactionId,
  kind: v.picklist(ledgerKinds),
  /** In Turkish. */
  description: v.string(),
  amount: LiraChange,
  /** What the user had after it. */
  balance: Lira,
  /** The room, request, gift or premium purchase. */
  referenceId: v.pipe(v.number(), v.safeInteger()),
  createdAt: Time,
})
export type StatementRow = v.InferOutput<typeof StatementRow>

const descriptions: Record<LedgerKind, string | { received: string; spent: string }> = {
  load: 'Bakiye yükleme',
  roomOrder: 'Oda siparişi',
  roomRenewal: 'Oda süresini uzatma',
  premium: 'Premium üyelik',
  gift: { received: 'Alınan hediye', spent: 'Gönderilen hediye' },
  withdrawalRequest: 'Ödeme talebi',
  withdrawalReturn: 'Reddedilen ödeme talebinin iadesi',
  withdrawalPaid: 'Yapılan ödeme',
}

/** What a movement was for, in Turkish. */
export function describeMovement(kind: LedgerKind, amountKurus: number): string {
  const description = descriptions[kind]
  if (typeof description === 'string') return description
  return amountKurus < 0 ? description.spent : description.received
}
