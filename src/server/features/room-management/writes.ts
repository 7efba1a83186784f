import { addRoomAdmin } from './add-room-admin.ts'
import { changeRoomSettings } from './change-room-settings.ts'
import { recordRoomVisits } from './record-room-visits.ts'
import { removeRoomAdmin } from './remove-room-admin.ts'
import { trimRoomRecords } from './trim-room-records.ts'

/** The write commands of this feature. */
export const writes = [addRoomAdmin, changeRoomSettings, recordRoomVisits, removeRoomAdmin, trimRoomRecords]
