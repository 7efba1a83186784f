import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { query } from '../../model/schema/query.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { sendGift } from './send-gift.ts'
import { setGiftShare } from './set-gift-share.ts'
import { updateGiftKind } from './update-gift-kind.ts'

const deleteTotals = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('giftTotal').where('recipientId', '=', p('userId')),
)

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [sendGift, updateGiftKind, setGiftShare],
  hooks: [
    // The gifts themselves stay: the ledger names them.
    onUserRemoved.handledBy((tx, { userId }) => void tx.run(deleteTotals, { userId })),
  ],
}
