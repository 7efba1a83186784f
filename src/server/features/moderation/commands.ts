import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onFingerprintRecorded } from '../../model/fingerprints/transactions.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { extendRestrictionsToAccount } from '../../model/moderation/restrict.ts'
import { banUser } from './ban-user.ts'
import { clearRoomMessages } from './clear-room-messages.ts'
import { expireGhostBans } from './expire-ghost-bans.ts'
import { ghostBanGuest } from './ghost-ban-guest.ts'
import { liftBan } from './lift-ban.ts'
import { setMaintenance } from './set-maintenance.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    banUser,
    clearRoomMessages,
    deleteRemovedMessages,
    expireGhostBans,
    ghostBanGuest,
    liftBan,
    setMaintenance,
  ],
  hooks: [
    // Restrictions of accounts are decided by account, so those on a browser or an address extend to each guest and new member
    // who uses it.
    onFingerprintRecorded.handledBy(extendRestrictionsToAccount),
  ],
}
