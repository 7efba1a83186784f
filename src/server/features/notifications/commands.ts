import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { query } from '../../model/schema/query.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { deleteOldNotifications } from './delete-old-notifications.ts'
import { markNotificationRead, markTabRead } from './mark-read.ts'

const deleteRowsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notification').where('recipientId', '=', p('userId')),
)
const deleteSendersOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notificationSender').where('recipientId', '=', p('userId')),
)
const deleteCountsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('notificationCount').where('userId', '=', p('userId')),
)

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [markNotificationRead, markTabRead, deleteOldNotifications],
  hooks: [
    onUserRemoved.handledBy((tx, { userId }) => {
      for (const each of [deleteRowsOfUser, deleteSendersOfUser, deleteCountsOfUser]) tx.run(each, { userId })
    }),
  ],
}
