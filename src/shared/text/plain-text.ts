// Tab and newline are text; overrides and embeddings of the writing direction would turn what follows them around.
const controlCharacters = /(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
// White space, what is never drawn, and the blank braille pattern.
const leadingInvisible = /^[\s\p{Default_Ignorable_Code_Point}\u2800]+/u

/**
 * What somebody wrote, as it may be kept and shown: newlines as `\n`, no control characters, nothing blank around it. `''`
 * means that there is nothing to see.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replace(controlCharacters, '')
    .replace(leadingInvisible, '')
    .trimEnd()
}
