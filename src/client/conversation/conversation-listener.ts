import type { UserId } from '../../shared/protocol/ids.ts'
import type { BubbleSender, ConversationMessage } from './store/bubble.ts'

export interface Typist {
  id: UserId
  username: string
}

/** What parts that load later learn of a conversation. */
export interface ConversationListener {
  onMessage(message: ConversationMessage): void
  /** Messages were removed: those of one sender, or all (null). */
  onRemoved(senderId: UserId | null): void
  /** The latest messages replaced what was stored. */
  onReloaded(messages: readonly ConversationMessage[]): void
  /** Messages that were hidden from the viewer may be fetched again. */
  onUnhidden(): void
  onUsersUpdated(users: readonly BubbleSender[]): void
  onTyping(users: readonly Typist[]): void
  onUserLeft(username: string): void
  onClosed(): void
}
