import type { Conversation } from '../conversation.ts'
import { withUsers } from '../store/merge-messages.ts'
import type { Bubble } from '../store/message-types.ts'

/** Cancels a reply when its original is removed. Returns the function that stops this. */
export function trackReply(conversation: Conversation): () => void {
  const { replyingTo } = conversation
  const cancelIf = (isGone: (bubble: Bubble) => boolean): void => {
    const { value } = replyingTo
    if (value && isGone(value)) replyingTo.value = null
  }
  return conversation.addListener({
    onRemoved: (senderId) => cancelIf(({ sender }) => senderId === null || sender.id === senderId),
    // A removal may be among the missed events.
    onReloaded: (messages) => cancelIf(({ id }) => messages.every((message) => message.id !== id)),
    onUsersUpdated: (users) => {
      const { value } = replyingTo
      if (value) replyingTo.value = withUsers(value, new Map(users.map((user) => [user.id, user])))
    },
  })
}
