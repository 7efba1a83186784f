import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { deleteVisitsOf } from '../../model/rooms/management-transactions.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { addRoomAdmin } from './add-room-admin.ts'
import { changeRoomSettings } from './change-room-settings.ts'
import { recordRoomVisits } from './record-room-visits.ts'
import { removeRoomAdmin } from './remove-room-admin.ts'
import { deleteAdminEverywhere } from './room-admins.ts'
import { trimRoomRecords } from './trim-room-records.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [addRoomAdmin, changeRoomSettings, recordRoomVisits, removeRoomAdmin, trimRoomRecords],
  hooks: [
    onUserRemoved.handledBy((tx, { userId, reason }) => {
      deleteAdminEverywhere(tx, userId)
      // A guest who has gone stays in the list until the visit is old.
      if (reason === 'accountErased') deleteVisitsOf(tx, userId)
    }),
  ],
}
