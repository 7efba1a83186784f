import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { onTextScreening } from '../../model/text-screening/transactions.ts'
import { banMarks, liftMarkBan } from './ban-fingerprints.ts'
import { changeLinkRule } from './change-link-rule.ts'
import { checkSubmittedText } from './check-text.ts'
import { decideHeldText, readHeldText } from './decide-held-text.ts'
import { deleteRecordsOf } from './delete-records.ts'
import { addFilterEntries, changeFilterEntry, deleteFilterEntry } from './filter-entries.ts'
import { handleAlert } from './handle-alert.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'
import { recordLookUp } from './record-look-up.ts'
import { trimFilterRecords } from './trim-filter-records.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    addFilterEntries,
    banMarks,
    changeFilterEntry,
    changeLinkRule,
    decideHeldText,
    deleteFilterEntry,
    handleAlert,
    liftMarkBan,
    raiseFloodAlert,
    readHeldText,
    recordLookUp,
    trimFilterRecords,
  ],
  hooks: [
    onTextScreening.handledBy(checkSubmittedText),
    onUserRemoved.handledBy((tx, { userId, reason }) => deleteRecordsOf(tx, userId, reason === 'accountErased')),
  ],
}
