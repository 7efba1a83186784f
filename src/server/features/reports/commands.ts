import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { closeOldReports } from './close-old-reports.ts'
import { decideReports } from './decide-reports.ts'
import { deleteOldContents } from './delete-old-contents.ts'
import { recordContentRead } from './record-content-read.ts'
import { submitReport } from './submit-report.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [submitReport, decideReports, recordContentRead, closeOldReports, deleteOldContents],
}
