import { seedDefaultRooms } from './seed-default-rooms.ts'

/** The write commands of this feature. */
export const writes = [seedDefaultRooms]
