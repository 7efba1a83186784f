import type { HookHandlers } from '../database/define-hooks.ts'
import { findTextRefusal } from './access.ts'
import { deleteRemovedTextsOf } from './delete-removed-texts.ts'
import { carryMutes } from './mutes.ts'

/** Mutes are judged by account, so those on a browser or address go over to each guest and new member who comes from there. */
export const hooks: HookHandlers = {
  onMarksRecorded: carryMutes,
  onTextSubmitted(tx, draft) {
    draft.refusal ??= findTextRefusal(tx, draft, tx.now)
  },
  onUserRemoved(tx, { userId, reason }) {
    if (reason === 'accountErased') deleteRemovedTextsOf(tx, userId)
  },
}
