import type { MessageId } from '../protocol/ids.ts'
import type { Quote } from './message.ts'

/** The quote of a message that is removed or hidden from the reader. */
export function unavailableQuote(id: MessageId): Quote {
  return { id, content: null, senderId: null, senderUsername: null }
}

/** The message with its quote hidden from this reader. */
export function redactQuote<T extends { replyTo?: Quote | undefined }>(message: T): T {
  return message.replyTo ? { ...message, replyTo: unavailableQuote(message.replyTo.id) } : message
}
