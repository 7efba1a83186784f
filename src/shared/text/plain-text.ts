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
