import { expireRooms } from './expire-rooms.ts'

/** The write commands of this feature. */
export const writes = [expireRooms]
