import { banUser } from './ban-user.ts'
import { clearRoomMessages } from './clear-room-messages.ts'
import { liftBan } from './lift-ban.ts'
import { deleteRemovedMessages } from './remove-messages.ts'
import { setMaintenance } from './set-maintenance.ts'
import { touchFingerprint } from './touch-fingerprint.ts'

/** The write commands of this feature. */
export const writes = [banUser, clearRoomMessages, deleteRemovedMessages, liftBan, setMaintenance, touchFingerprint]
