/** What a spreadsheet takes for a formula (OWASP, CSV Injection). */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * CSV (RFC 4180) with a byte order mark and semicolons, as spreadsheets of Türkiye read it. A text that a spreadsheet would
 * run as a formula gets an apostrophe in front.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(toCell).join(';')}\r\n`).join('')}`
}

function toCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
