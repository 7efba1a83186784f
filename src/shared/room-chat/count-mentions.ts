import { parseRichText } from '../text/rich-text.ts'
import { foldName } from '../text/turkish.ts'
import { MAX_MENTIONS } from './limits.ts'

/** How many users a text can mention: its different names, at most `MAX_MENTIONS`. */
export function countMentions(text: string): number {
  if (!text.includes('@')) return 0
  const names = parseRichText(text).flatMap((segment) => (segment.kind === 'mention' ? [foldName(segment.name)] : []))
  return Math.min(new Set(names).size, MAX_MENTIONS)
}
