import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { registerFile } from './register-file.ts'
import { sweepFiles } from './sweep-files.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [registerFile, sweepFiles],
}
