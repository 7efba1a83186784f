import { capacityOptionWrites } from './options/capacity-option-writes.ts'
import { durationOptionWrites } from './options/duration-option-writes.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** The write commands of this feature. */
export const writes = [seedDefaultRooms, ...Object.values(capacityOptionWrites), ...Object.values(durationOptionWrites)]
