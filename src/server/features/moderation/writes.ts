import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { banUser } from './ban-user.ts'
import { clearRoomMessages } from './clear-room-messages.ts'
import { expireGhostBans } from './expire-ghost-bans.ts'
import { ghostBanGuest } from './ghost-ban-guest.ts'
import { liftBan } from './lift-ban.ts'
import { setMaintenance } from './set-maintenance.ts'

/** The write commands of this feature. */
export const writes = [
  banUser,
  clearRoomMessages,
  deleteRemovedMessages,
  expireGhostBans,
  ghostBanGuest,
  liftBan,
  setMaintenance,
]
