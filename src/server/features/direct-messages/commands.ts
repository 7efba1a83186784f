import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { directMediaCommands } from '../../model/conversations/media-commands.ts'
import { sendDirectMessage } from '../../model/conversations/send-to-user.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { allowMedia } from './allow-media.ts'
import { clearConversationsOf, deleteConversation, purgeDirectMessages } from './delete-conversation.ts'
import { hideConversation } from './hide-conversation.ts'
import { markMessagesRead } from './mark-messages-read.ts'
import { reportMessage } from './report-message.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    sendDirectMessage,
    markMessagesRead,
    hideConversation,
    deleteConversation,
    purgeDirectMessages,
    ...Object.values(directMediaCommands),
    allowMedia,
    reportMessage,
  ],
  hooks: [onUserRemoved.handledBy((tx, { userId }) => clearConversationsOf(tx, userId))],
}
