import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { capacityOptionCommands } from './options/capacity-option-commands.ts'
import { durationOptionCommands } from './options/duration-option-commands.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [seedDefaultRooms, ...Object.values(capacityOptionCommands), ...Object.values(durationOptionCommands)],
}
