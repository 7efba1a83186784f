import type { MediaType } from '../media/media.ts'
import { mediaPreviews } from '../media/previews.ts'
import type { MessageId } from '../protocol/ids.ts'
import { parseRichText } from '../text/rich-text.ts'
import { MAX_QUOTE_LENGTH } from './limits.ts'
import type { Quote } from './message.ts'

/** A message on one line without mention brackets, cut to `length` characters and an ellipsis. */
export function quoteExcerpt(message: string, length: number): string {
  const texts = parseRichText(message).map((piece) => (piece.kind === 'mention' ? `@${piece.name}` : piece.text))
  // By code points, which keeps surrogate pairs whole.
  const characters = [...texts.join('').replace(/\s+/gu, ' ').trim()]
  if (characters.length <= length) return characters.join('')
  return `${characters
    .slice(0, length)
    .join('')
    .replace(/[\s\u200D]+$/u, '')}…`
}

/** What a quote shows of a message: its beginning, or what its file is. */
export function messageQuote(
  content: string,
  mediaType: MediaType | null | undefined,
  length = MAX_QUOTE_LENGTH,
): string {
  return quoteExcerpt(content === '' && mediaType ? mediaPreviews[mediaType] : content, length)
}

/** The quote of a message that is removed or hidden from the reader. */
export function unavailableQuote(id: MessageId): Quote {
  return { id, content: null, senderId: null, senderUsername: null }
}

/** The message with its quote hidden from this reader. */
export function redactQuote<T extends { replyTo?: Quote | undefined }>(message: T): T {
  return message.replyTo ? { ...message, replyTo: unavailableQuote(message.replyTo.id) } : message
}

/** The message as one that answers nothing. */
export function omitQuote<T extends { replyTo?: Quote | undefined }>(message: T): Omit<T, 'replyTo'> {
  const { replyTo: _replyTo, ...shown } = message
  return shown
}
