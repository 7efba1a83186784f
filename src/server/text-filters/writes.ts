import { changeLinkRule } from './change-link-rule.ts'
import { decideHeldText, readHeldText } from './decide-held-text.ts'
import { addFilterEntries, changeFilterEntry, deleteFilterEntry } from './filter-entries.ts'
import { handleAlert } from './handle-alert.ts'
import { trimFilterRecords } from './trim-filter-records.ts'

/** The write commands of this feature. */
export const writes = [
  addFilterEntries,
  changeFilterEntry,
  changeLinkRule,
  decideHeldText,
  deleteFilterEntry,
  handleAlert,
  readHeldText,
  trimFilterRecords,
]
