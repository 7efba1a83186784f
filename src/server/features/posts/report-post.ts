import { POST_REPORTED_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { ReportReason } from '../../../shared/reports/rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { fileReport } from '../../model/reports/transactions.ts'

export interface ReportPost {
  postId: PostId
  reason?: ReportReason
  note?: string
}

/** Reports a post that the actor may see to the root admins. Refuses as `fileReport` does. Nobody else is notified. */
export const reportPost = defineCommand({
  name: 'reportPost',
  run(
    tx: Transaction,
    actor: Actor | null,
    { postId, reason = 'other', note = '' }: ReportPost,
  ): { success: true; message: string } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const refusal = fileReport(tx, actor, { kind: 'post', target: { postId }, reason, note })
    return refusal ?? { success: true, message: POST_REPORTED_TEXT }
  },
})
