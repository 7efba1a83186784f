import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { addMedia } from './add-media.ts'
import { allowMedia } from './allow-media.ts'
import { clearConversationsOf, deleteConversation, purgeDirectMessages } from './delete-conversation.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { hideConversation } from './hide-conversation.ts'
import { markMessagesRead } from './mark-messages-read.ts'
import { reportMessage } from './report-message.ts'
import { sendDirectMessage } from './send-direct-message.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    sendDirectMessage,
    markMessagesRead,
    hideConversation,
    deleteConversation,
    purgeDirectMessages,
    addMedia,
    deleteUnusedMedia,
    allowMedia,
    reportMessage,
  ],
  hooks: [onUserRemoved.handledBy((tx, { userId }) => clearConversationsOf(tx, userId))],
}
