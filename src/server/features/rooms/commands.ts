import type { FeatureCommands } from '../../kernel/database/command-registry.ts'
import { capacityOptionWrites } from './options/capacity-option-writes.ts'
import { durationOptionWrites } from './options/duration-option-writes.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** What this feature runs in the threads of the database. */
export const commands: FeatureCommands = {
  writes: [seedDefaultRooms, ...Object.values(capacityOptionWrites), ...Object.values(durationOptionWrites)],
}
