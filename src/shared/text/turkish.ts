/**
 * The form in which two names are compared: NFKC, then `İ I ı i` all to `i`, then lower case. It does not depend on any
 * locale, so `Işıl`, `işil` and `IŞIL` are one name everywhere; `isil` is another one, because ş and s are two letters.
 * Source: docs/product.md, "Accounts".
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(/[İIıi]\u0307*/gu, 'i')
    .toLowerCase()
  // Lower case can compose anew (J + caron has no single character, j + caron has), so it is normalised once more.
  return folded.normalize('NFKC')
}

const startsWithAddress = /^\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.|[^\s@]+@[^\s@]+\.[^\s@])/iu

/**
 * The text with its first character in upper case the Turkish way (`i` to `İ`, `ı` to `I`), whatever the locale. Only
 * leading white space is skipped: an emoji, a digit or a quotation mark that comes first stays, and so does the rest. A
 * web or e-mail address that comes first stays as it was written.
 */
export function capitaliseFirst(text: string): string {
  if (startsWithAddress.test(text)) return text
  return text.replace(/^(\s*)(i\u0307*|\S)/u, (_, space: string, first: string) => space + toTurkishUpper(first))
}

function toTurkishUpper(first: string): string {
  if (first.startsWith('i')) return 'İ'
  const capital = first.toUpperCase()
  // Letters that become several capitals (ß to SS) stay: one letter is capitalised, not two.
  return capital.length === first.length ? capital : first
}
