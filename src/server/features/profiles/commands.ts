import type { FeatureCommands } from '../../kernel/database/command-registry.ts'
import { updateProfile } from './update-profile.ts'

/** What this feature runs in the threads of the database. */
export const commands: FeatureCommands = {
  commands: [updateProfile],
}
