import { banFromRoom } from './ban-from-room.ts'
import { grantRoom } from './grant-room.ts'
import { liftRoomBan } from './lift-room-ban.ts'
import { setRoomPassword } from './set-room-password.ts'
import { setRoomPreferences } from './set-room-preferences.ts'

/** The write commands of this feature. */
export const writes = [banFromRoom, grantRoom, liftRoomBan, setRoomPassword, setRoomPreferences]
