import type { UserId } from '../../../shared/protocol/ids.ts'
import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { query } from '../../model/schema/query.ts'

const deleteTotals = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('giftTotal').where('recipientId', '=', p('userId')),
)

/** The gifts themselves stay: the ledger names them. */
export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId }) => void tx.run(deleteTotals, { userId }),
}
