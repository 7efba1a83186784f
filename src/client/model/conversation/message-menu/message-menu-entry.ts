import { copyText } from '../../../core/shell/copy-text.ts'
import { EntryList } from '../../../core/shell/entry-list.ts'
import type { MenuItem } from '../../../core/ui/menu/menu.tsx'
import type { Conversation } from '../conversation.ts'
import type { Bubble } from '../store/message-types.ts'

/** A message of a thread, and the conversation that it is in. */
export interface MessageMenuTarget {
  conversation: Conversation
  message: Bubble
}

/** An action on a message. */
export interface MessageMenuEntry {
  /** The entries are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  /** Only hides the entry: the server checks access itself. Absent: always available. */
  isAvailable?(target: MessageMenuTarget): boolean
  run(target: MessageMenuTarget): void
}

/** The actions on every message, before those of features. */
const ownEntries: readonly MessageMenuEntry[] = [
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

/** The actions of all features. */
export const messageMenuEntries = new EntryList<MessageMenuEntry>()

/** The available actions on a message, in order. */
export function messageMenuItems(target: MessageMenuTarget): MenuItem[] {
  return [...ownEntries, ...messageMenuEntries.all]
    .filter((entry) => entry.isAvailable?.(target) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(target) }))
}
