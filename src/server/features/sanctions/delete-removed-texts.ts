import type { UserId } from '../../../shared/protocol/ids.ts'
import { REMOVED_MESSAGE_KEPT_MS } from '../../../shared/sanctions/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { directMessages, roomMessages } from '../../model/conversations/message-table.ts'
import { deleteRemovedContent } from '../../model/moderation/message-rows.ts'
import { query, type Tables } from '../../model/schema/query.ts'

/** Takes the writer a few milliseconds. */
const STEP = 200

const removedBefore = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('removedMessage')
    .select(['type', 'messageId', 'mediaId'])
    .where('removedAt', '<', p('before'))
    .orderBy('removedAt')
    .limit(p('limit')),
)
const removedOfSender = query<{ senderId: UserId }>()((db, p) =>
  db.selectFrom('removedMessage').select(['type', 'messageId', 'mediaId']).where('senderId', '=', p('senderId')),
)

/** One step of deleting what removed messages had, after the time for which it is kept. */
export const deleteRemovedTexts = defineCommand({
  name: 'deleteRemovedTexts',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction): { removed: number } {
    const rows = tx.all(removedBefore, { before: tx.now - REMOVED_MESSAGE_KEPT_MS, limit: STEP })
    deleteContents(tx, rows)
    return { removed: rows.length }
  },
})

/** An account is erased: what its removed messages had is not kept. */
export function deleteRemovedTextsOf(tx: Transaction, senderId: UserId): void {
  deleteContents(tx, tx.all(removedOfSender, { senderId }))
}

function deleteContents(
  tx: Transaction,
  rows: readonly Pick<Tables['removedMessage'], 'type' | 'messageId' | 'mediaId'>[],
): void {
  for (const { type, messageId: id, mediaId } of rows) {
    deleteRemovedContent(tx, { type, id })
    if (mediaId === null) continue
    const { media } = type === 'roomMessage' ? roomMessages : directMessages
    media.expire(tx, mediaId)
  }
}
