import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { updateProfile } from './update-profile.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [updateProfile],
}
