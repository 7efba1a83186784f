import { parseRichText } from './rich-text.ts'

/** The mention of a name as it is written: in brackets when the name alone would be parsed as another one. */
export function formatMention(name: string): string {
  const [segment, ...rest] = parseRichText(`@${name}`)
  const isWhole = segment?.kind === 'mention' && segment.name === name && rest.length === 0
  return isWhole ? `@${name}` : `@[{${name}}]`
}
