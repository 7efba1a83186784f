import { banMarks, liftMarkBan } from './ban-marks.ts'
import { changeLinkRule } from './change-link-rule.ts'
import { decideHeldText, readHeldText } from './decide-held-text.ts'
import { addFilterEntries, changeFilterEntry, deleteFilterEntry } from './filter-entries.ts'
import { handleAlert } from './handle-alert.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'
import { recordLookUp } from './record-look-up.ts'
import { trimFilterRecords } from './trim-filter-records.ts'

/** The write commands of this feature. */
export const writes = [
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
]
