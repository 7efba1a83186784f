import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Quote } from '../../../../shared/room-chat/message.ts'
import { messageQuote } from '../../../../shared/room-chat/quotes.ts'
import { unavailableQuote } from '../../../../shared/room-chat/redacted-quotes.ts'
import type { StoredMessage } from './merge-messages.ts'
import { makeQuote } from './unsent-quotes.ts'

// The server shows no unsent messages.
if (!import.meta.env.SSR) makeQuote.value = quoteOfMessage

/** The original may have been removed meanwhile. */
function quoteOfMessage(stored: readonly StoredMessage[], id: MessageId): Quote {
  const original = stored.find(({ bubble }) => bubble.id === id)?.bubble
  if (!original) return unavailableQuote(id)
  const { content, media, sender } = original
  return { id, content: messageQuote(content, media?.mediaType), senderId: sender.id, senderUsername: sender.username }
}
