// Tab and newline are text; direction overrides and embeddings would reorder the text after them.
const controlCharacters = /(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
// White space, invisible characters and the blank braille pattern.
const leadingInvisible = /^[\s\p{Default_Ignorable_Code_Point}\u2800]+/u

/** Normalises user text: newlines as `\n`, no control characters, trimmed. `''` means that nothing visible is left. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replace(controlCharacters, '')
    .replace(leadingInvisible, '')
    .trimEnd()
}

/** Keeps line breaks, with at most one blank line in a row. */
export function collapseBlankLines(text: string): string {
  return text.replace(/\n(?:[^\S\n]*\n){2,}/gu, '\n\n')
}

/** Keeps the first line breaks, with at most one blank line in a row; further ones become spaces. */
export function limitLines(text: string, maxLines: number): string {
  const lines = collapseBlankLines(text).split('\n')
  const [kept, others] = [lines.slice(0, maxLines), lines.slice(maxLines).filter((line) => line.trim() !== '')]
  return [kept.join('\n'), ...others].join(' ')
}
