import { copyText } from '../../core/shell/copy-text.ts'
import type { MessageMenuEntry } from './message-menu/message-menu-entry.ts'

export const messageMenuEntries: readonly MessageMenuEntry[] = [
  {
    order: 10,
    label: 'Yanıtla',
    isAvailable: ({ message }) => !message.isRemoved,
    run: ({ conversation, message }) => {
      conversation.replyingTo.value = message
    },
  },
  {
    order: 20,
    label: 'Kopyala',
    isAvailable: ({ message }) => message.content !== '',
    run: ({ message }) => void copyText(message.content),
  },
]
