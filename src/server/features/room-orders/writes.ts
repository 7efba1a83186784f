import { expireRooms } from './expire-rooms.ts'
import { orderRoom } from './order-room.ts'
import { renewRoom } from './renew-room.ts'

/** The write commands of this feature. */
export const writes = [orderRoom, renewRoom, expireRooms]
