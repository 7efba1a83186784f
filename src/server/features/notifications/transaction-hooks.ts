import type { UserId } from '../../../shared/protocol/ids.ts'
import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { query } from '../../model/schema/query.ts'

const deleteRowsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notification').where('recipientId', '=', p('userId')),
)
const deleteSendersOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notificationSender').where('recipientId', '=', p('userId')),
)
const deleteCountsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notificationCount').where('userId', '=', p('userId')),
)

export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId }) => {
    for (const each of [deleteRowsOfUser, deleteSendersOfUser, deleteCountsOfUser]) tx.run(each, { userId })
  },
}
