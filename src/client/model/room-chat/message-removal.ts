import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { messageQuote } from '../../../shared/room-chat/quotes.ts'
import { redactQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import type { EventHandlers } from '../../core/live/event-handlers.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { historyLoaderOf } from '../conversation/store/history-loader.ts'
import { bubbleOf } from '../conversation/store/merge-messages.ts'
import type { Bubble, ConversationMessage } from '../conversation/store/message-types.ts'
import type { RoomConversations } from './room-conversations.ts'

interface RoomRemovalDeps {
  live: Pick<EventHandlers, 'on'>
  conversations: Pick<RoomConversations, 'current'>
  viewerId: () => UserId | null
}

/** Follows removals of single messages in the shown room. */
export function watchRoomRemovals({ live, conversations, viewerId }: RoomRemovalDeps): void {
  live.on('messageRemoved', ({ roomId, id }) => {
    const { current } = conversations
    if (current?.roomId === roomId) removeFrom(current, id)
  })
  live.on('messageRestored', (message) => {
    const { current } = conversations
    const ownId = viewerId()
    if (current?.roomId === message.roomId && ownId !== null) restoreIn(current, message, ownId)
  })
}

/** A moderator has removed a message: its place stays, and quotes of it become unavailable. */
export function removeFrom(conversation: Conversation, id: MessageId): void {
  historyLoaderOf(conversation).dropPendingPages()
  if (conversation.replyingTo.peek()?.id === id) conversation.replyingTo.value = null
  updateBubbles(conversation, (bubble) => {
    if (bubble.id === id) return toRemoved(bubble)
    return bubble.replyTo?.id === id ? redactQuote(bubble) : bubble
  })
}

/** A removed message is shown again, in its place and in quotes of it. */
export function restoreIn(conversation: Conversation, message: ConversationMessage, viewerId: UserId): void {
  const { id, content, media, senderId, senderUsername } = message
  historyLoaderOf(conversation).dropPendingPages()
  const quote = { id, content: messageQuote(content, media?.mediaType), senderId, senderUsername }
  updateBubbles(conversation, (bubble) => {
    if (bubble.id === id) return bubbleOf(message, viewerId)
    return bubble.replyTo?.id === id ? { ...bubble, replyTo: quote } : bubble
  })
}

function toRemoved({ media: _media, replyTo: _replyTo, ...bubble }: Bubble): Bubble {
  return { ...bubble, content: '', isRemoved: true }
}

function updateBubbles({ store }: Conversation, update: (bubble: Bubble) => Bubble): void {
  const before = store.stored.peek()
  const stored = before.map(({ bubble, seq }) => ({ bubble: update(bubble), seq }))
  if (stored.some(({ bubble }, index) => bubble !== before[index]?.bubble))
    store.setWindow({ stored, scrollback: store.scrollback.peek() })
}
