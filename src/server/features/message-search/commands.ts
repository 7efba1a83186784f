import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { indexMessages } from '../../model/conversations/index-messages.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = { commands: [indexMessages] }
