import type { FeatureCommands } from '../../kernel/database/command-registry.ts'
import { trimReplacedTexts } from './trim-replaced-texts.ts'

/** What this feature runs in the threads of the database. */
export const commands: FeatureCommands = {
  commands: [trimReplacedTexts],
}
