import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { findTextRefusal } from '../../model/sanctions/access.ts'
import { carryMutes } from '../../model/sanctions/mutes.ts'
import { deleteRemovedTextsOf } from './delete-removed-texts.ts'

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
