import type { MediaType } from '../media/media.ts'
import { mediaPreviews } from '../media/previews.ts'
import { parseRichText } from '../text/rich-text.ts'
import { MAX_QUOTE_LENGTH } from './limits.ts'

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
