import { confirmWarning } from './confirm-warning.ts'
import { deleteRemovedTexts } from './delete-removed-texts.ts'
import { liftMute } from './lift-mute.ts'
import { muteUser } from './mute-user.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'
import { warnUser } from './warn-user.ts'

/** The write commands of this feature. */
export const writes = [confirmWarning, deleteRemovedTexts, liftMute, muteUser, removeMessage, restoreMessage, warnUser]
