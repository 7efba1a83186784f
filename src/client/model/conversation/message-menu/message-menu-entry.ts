import type { MenuItem } from '../../../core/ui/menu/menu.tsx'
import type { Conversation } from '../conversation.ts'
import type { Bubble } from '../store/message-types.ts'

/** A message of a thread, and the conversation that it is in. */
export interface MessageMenuTarget {
  conversation: Conversation
  message: Bubble
}

/** An action on a message. A feature's `message-menu-entries.ts` exports them as `messageMenuEntries`. */
export interface MessageMenuEntry {
  /** The entries are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  /** Only hides the entry: the server checks access itself. Absent: always available. */
  isAvailable?(target: MessageMenuTarget): boolean
  run(target: MessageMenuTarget): void
}

const allEntries = Object.values(
  import.meta.glob<readonly MessageMenuEntry[]>('../../../{core,model,features,page}/*/message-menu-entries.ts', {
    eager: true,
    import: 'messageMenuEntries',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** The available actions on a message, in order. */
export function messageMenuItems(target: MessageMenuTarget): MenuItem[] {
  return allEntries
    .filter((entry) => entry.isAvailable?.(target) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(target) }))
}
