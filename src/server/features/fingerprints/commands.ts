import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { touchAccountMarks } from './touch-fingerprints.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [touchAccountMarks],
}
