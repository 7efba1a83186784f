import type { UserId } from '../../../shared/protocol/ids.ts'
import type { BubbleSender, ConversationMessage } from './store/message-types.ts'

export interface Typist {
  id: UserId
  username: string
}

/** Notifications of a conversation to parts that load later. */
export interface ConversationListener {
  onMessage(message: ConversationMessage): void
  /** Messages were removed: those of one sender, or all (null). */
  onRemoved(senderId: UserId | null): void
  /** The latest messages replaced the stored ones. */
  onReloaded(messages: readonly ConversationMessage[]): void
  /** Messages that were hidden from the viewer may be fetched again. */
  onUnhidden(): void
  onUsersUpdated(users: readonly BubbleSender[]): void
  onTyping(users: readonly Typist[]): void
  onUserLeft(username: string): void
  onClosed(): void
}
