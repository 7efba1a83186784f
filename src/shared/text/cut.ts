/** The beginning of a text on one line, at most `length` characters and an ellipsis. No character is cut in two. */
export function cut(text: string, length: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  if (characters.length <= length) return characters.join('')
  return `${characters
    .slice(0, length)
    .join('')
    .replace(/[\s\u200D]+$/u, '')}…`
}
