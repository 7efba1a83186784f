import { addMedia } from './add-media.ts'
import { allowMedia } from './allow-media.ts'
import { deleteConversation, purgeDirectMessages } from './delete-conversation.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { hideConversation } from './hide-conversation.ts'
import { markMessagesRead } from './mark-messages-read.ts'
import { readHiddenMessages } from './read-hidden-messages.ts'
import { reportMessage } from './report-message.ts'
import { sendDirectMessage } from './send-direct-message.ts'

/** The write commands of this feature. */
export const writes = [
  sendDirectMessage,
  markMessagesRead,
  hideConversation,
  deleteConversation,
  purgeDirectMessages,
  addMedia,
  deleteUnusedMedia,
  allowMedia,
  reportMessage,
  readHiddenMessages,
]
