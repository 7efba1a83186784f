import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { moveGrants } from '../../model/rooms/entry-transactions.ts'
import { onSessionReplaced } from '../../model/sessions/transactions.ts'
import { banFromRoom } from './ban-from-room.ts'
import { grantRoom } from './grant-room.ts'
import { liftRoomBan } from './lift-room-ban.ts'
import { setRoomPassword } from './set-room-password.ts'
import { setRoomPreferences } from './set-room-preferences.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [banFromRoom, grantRoom, liftRoomBan, setRoomPassword, setRoomPreferences],
  hooks: [
    // A replaced session keeps the rooms whose password it gave.
    onSessionReplaced.handledBy(moveGrants),
  ],
}
