import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { recordMissedCall } from './record-missed-call.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [recordMissedCall],
}
