import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { BankDetails } from '../../../../shared/wallet/options/protocol.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { insertRow, query } from '../../../model/schema/query.ts'
import { getBankDetails } from '../../../model/wallet/options/queries.ts'

const deleteDetails = query()((db) => db.deleteFrom('bankDetails'))
const insertDetails = insertRow('bankDetails', ['bankName', 'accountHolder', 'iban'], { id: 1 })

interface BankAnswer {
  success: true
  bank: BankDetails | null
}

/** Sets the account for balance loads, or removes it with null. Only root admins; the same values emit nothing. */
export const setBankDetails = defineCommand({
  name: 'setBankDetails',
  run(tx: Transaction, actor: Actor | null, { bank }: { bank: BankDetails | null }): BankAnswer | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    if (!isSameBank(getBankDetails(tx), bank)) {
      tx.run(deleteDetails)
      if (bank) tx.run(insertDetails, { ...bank })
      tx.emit({ stream: siteStream, name: 'bankDetailsUpdated', payload: { bank }, actorId: actor.userId })
      recordChange(tx, actor.userId, bank)
    }
    return { success: true, bank }
  },
})

/** The holder's name stays out of the log. */
function recordChange(tx: Transaction, actorId: UserId, bank: BankDetails | null): void {
  if (bank) recordAction(tx, { kind: 'bankDetailsChanged', actorId, details: { ibanEnd: bank.iban.slice(-4) } })
  else recordAction(tx, { kind: 'bankDetailsRemoved', actorId })
}

function isSameBank(one: BankDetails | null, other: BankDetails | null): boolean {
  if (!one || !other) return one === other
  return one.bankName === other.bankName && one.accountHolder === other.accountHolder && one.iban === other.iban
}
