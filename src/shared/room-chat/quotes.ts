import type { MessageId } from '../protocol/ids.ts'
import { parseRichText } from '../text/rich-text.ts'
import type { Quote } from './message.ts'

/** What a message says on one line without its brackets, at most `length` characters of it and an ellipsis. */
export function quoteExcerpt(message: string, length: number): string {
  const said = parseRichText(message).map((piece) => (piece.kind === 'mention' ? `@${piece.name}` : piece.text))
  // By code points, so that no character is cut in two.
  const characters = [...said.join('').replace(/\s+/gu, ' ').trim()]
  if (characters.length <= length) return characters.join('')
  return `${characters
    .slice(0, length)
    .join('')
    .replace(/[\s\u200D]+$/u, '')}…`
}

/** What is quoted of a message that is gone, or not for the reader. */
export function unavailableQuote(id: MessageId): Quote {
  return { id, content: null, senderId: null, senderUsername: null }
}

/** The same words without what they quote: that is not for this reader. */
export function redactQuote<T extends { replyTo?: Quote | undefined }>(said: T): T {
  return said.replyTo ? { ...said, replyTo: unavailableQuote(said.replyTo.id) } : said
}
