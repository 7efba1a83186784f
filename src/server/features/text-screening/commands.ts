import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { trimReplacedTexts } from './trim-replaced-texts.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [trimReplacedTexts],
}
