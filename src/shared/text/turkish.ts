/**
 * The form in which names are compared: NFKC, `İ I ı i` to `i`, lower case. It is independent of the locale: `Işıl`,
 * `işil` and `IŞIL` are one name; `isil` is another, because ş and s differ. Source: docs/product.md, "Accounts".
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(/[İIıi]\u0307*/gu, 'i')
    .toLowerCase()
  // Normalised again, because lower case can compose (J + caron has no single character, j + caron has).
  return folded.normalize('NFKC')
}

/** A first word that is an address, a path or a name of a program: a capital would change what it means. */
const startsWithToken = /^\s*(?=\S)\S*(?::\/\/|@|[\p{L}\p{N}_-]\.[\p{L}\p{N}])/u

/**
 * Capitalises the first character by Turkish rules (`i` to `İ`, `ı` to `I`) in any locale. Skips only leading white space:
 * a text that starts with an emoji, a digit or a quotation mark is unchanged, and so is one whose first word has `://`,
 * an `@` or a dot inside.
 */
export function capitaliseFirst(text: string): string {
  if (startsWithToken.test(text)) return text
  return text.replace(/^(\s*)(i\u0307*|\S)/u, (_, space: string, first: string) => space + toTurkishUpper(first))
}

function toTurkishUpper(first: string): string {
  if (first.startsWith('i')) return 'İ'
  const capital = first.toUpperCase()
  // Letters with several capitals (ß to SS) are unchanged.
  return capital.length === first.length ? capital : first
}
