import type { MessageId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { ReportReason } from '../../../shared/reports/rules.ts'
import { MESSAGE_REPORTED_TEXT } from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { fileReport } from '../../model/reports/transactions.ts'

export interface ReportMessage {
  messageId: MessageId
  reason?: ReportReason
  note?: string
}

/** Reports a message that the actor received to the root admins. Refuses as `fileReport` does. */
export const reportMessage = defineCommand({
  name: 'reportDirectMessage',
  run(
    tx: Transaction,
    actor: Actor | null,
    { messageId, reason = 'other', note = '' }: ReportMessage,
  ): { success: true; message: string } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const refusal = fileReport(tx, actor, { kind: 'directMessage', target: { messageId }, reason, note })
    return refusal ?? { success: true, message: MESSAGE_REPORTED_TEXT }
  },
})
