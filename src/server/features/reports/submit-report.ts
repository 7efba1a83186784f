import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { ReportReason } from '../../../shared/reports/rules.ts'
import { CALL_REPORTED_TEXT, MESSAGE_REPORTED_TEXT, PROFILE_REPORTED_TEXT } from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { ReportTargets } from '../../model/reports/queries.ts'
import { fileReport } from '../../model/reports/transactions.ts'

/** The kinds that this command takes; messages of conversations and posts have commands of their own. */
const texts = {
  roomMessage: MESSAGE_REPORTED_TEXT,
  profile: PROFILE_REPORTED_TEXT,
  call: CALL_REPORTED_TEXT,
} as const
type SubmittedKind = keyof typeof texts

/** An item of one of these kinds. */
type SubmittedThing = { [K in SubmittedKind]: { kind: K; target: ReportTargets[K] } }[SubmittedKind]
export type SubmitReport = SubmittedThing & {
  /** Names the item in a retry: what is known of a call may have changed by then. */
  item: string
  reason: ReportReason
  note: string
}

/** Reports a message of a room, a profile or a call. Refuses as `fileReport` does. */
export const submitReport = defineCommand({
  name: 'submitReport',
  retryInput: ['kind', 'item', 'reason', 'note'],
  run(tx: Transaction, actor: Actor | null, input: SubmitReport): { success: true; message: string } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    return fileReport(tx, actor, input) ?? { success: true, message: texts[input.kind] }
  },
})
