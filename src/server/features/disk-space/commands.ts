import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { reportDiskLevel } from './report-disk-level.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [reportDiskLevel],
}
