import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onFingerprintRecorded } from '../../model/fingerprints/transactions.ts'
import { extendGhostBanToAccount } from '../../model/moderation/ghost-bans.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { extendSiteBanToAccount } from '../../model/moderation/transactions.ts'
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
    // Bans of a browser or an address extend to each guest and new member who uses it.
    onFingerprintRecorded.handledBy((tx, entry) => {
      extendGhostBanToAccount(tx, entry)
      extendSiteBanToAccount(tx, entry)
    }),
  ],
}
