import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { fillSkeletons } from './fill-skeletons.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [fillSkeletons],
}
