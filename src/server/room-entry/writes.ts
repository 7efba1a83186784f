import { setRoomPreferences } from './set-room-preferences.ts'

/** The write commands of this feature. */
export const writes = [setRoomPreferences]
