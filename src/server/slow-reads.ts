import { listActions } from './features/audit/list-actions.ts'
import { searchDirectMessages, searchMessages } from './features/message-search/search-messages.ts'
import { listReportGroups } from './features/reports/list-groups.ts'
import { findLargeRooms, measureRoomStep } from './features/room-chat/measure-rooms.ts'
import { readFloodTexts } from './features/text-filters/flood-texts.ts'
import { findLinkedAccounts } from './features/text-filters/linked-accounts.ts'
import { checkLedgerStep } from './features/wallet/check-ledger.ts'
import { exportRequests } from './features/wallet/requests/export-requests.ts'
import { listRequests } from './features/wallet/requests/review-queries.ts'
import { exportStatement } from './features/wallet/statement/statement.ts'
import type { AnySlowRead } from './kernel/database/slow-read.ts'

/** The slow reads of all features. The read worker loads this and nothing else of them. */
export const slowReads: readonly AnySlowRead[] = [
  checkLedgerStep,
  exportRequests,
  exportStatement,
  findLargeRooms,
  findLinkedAccounts,
  listActions,
  listReportGroups,
  listRequests,
  measureRoomStep,
  readFloodTexts,
  searchDirectMessages,
  searchMessages,
]
