import { addRoomAdmin } from './add-room-admin.ts'
import { removeRoomAdmin } from './remove-room-admin.ts'

/** The write commands of this feature. */
export const writes = [addRoomAdmin, removeRoomAdmin]
