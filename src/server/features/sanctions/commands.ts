import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { findTextRefusal } from '../../model/moderation/access.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { onTextScreening } from '../../model/text-screening/transactions.ts'
import { confirmWarning } from './confirm-warning.ts'
import { deleteRemovedTexts, deleteRemovedTextsOf } from './delete-removed-texts.ts'
import { liftMute } from './lift-mute.ts'
import { muteUser } from './mute-user.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'
import { warnUser } from './warn-user.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [confirmWarning, deleteRemovedTexts, liftMute, muteUser, removeMessage, restoreMessage, warnUser],
  hooks: [
    onTextScreening.handledBy((tx, draft) => {
      draft.refusal ??= findTextRefusal(tx, draft, tx.now)
    }),
    onUserRemoved.handledBy((tx, { userId, reason }) => {
      if (reason === 'accountErased') deleteRemovedTextsOf(tx, userId)
    }),
  ],
}
