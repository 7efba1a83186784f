import type { Quote } from '../room-chat/message.ts'
import { piecesOf } from './rich-text.ts'

/** What a message says on one line without its brackets, at most `length` characters of it and an ellipsis. */
export function quoteText(message: string, length: number): string {
  const said = piecesOf(message).map((piece) => (piece.kind === 'mention' ? `@${piece.name}` : piece.text))
  // By code points, so that no character is cut in two.
  const characters = [...said.join('').replace(/\s+/gu, ' ').trim()]
  if (characters.length <= length) return characters.join('')
  return `${characters
    .slice(0, length)
    .join('')
    .replace(/[\s\u200D]+$/u, '')}…`
}

/** The mention as it is written: in brackets where the name alone would be read as another one. */
export function writeMention(name: string): string {
  const [piece, ...more] = piecesOf(`@${name}`)
  return piece?.kind === 'mention' && piece.name === name && more.length === 0 ? `@${name}` : `@[{${name}}]`
}

/** What is quoted of a message that is gone, or not for the reader. */
export function goneQuote(id: number): Quote {
  return { id, content: null, senderId: null, senderUsername: null }
}

/** The same words without what they quote: that is not for this reader. */
export function withoutQuote<T extends { replyTo?: Quote | undefined }>(said: T): T {
  return said.replyTo ? { ...said, replyTo: goneQuote(said.replyTo.id) } : said
}
