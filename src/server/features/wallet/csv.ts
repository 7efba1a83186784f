import { ISTANBUL_OFFSET_MS } from '../../../shared/text/istanbul-time.ts'

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

/** An amount as spreadsheets of Türkiye read it: `1284,50`. */
export function amountCell(lira: number): string {
  return lira.toFixed(2).replace('.', ',')
}

/** `2026-11-23 14:05:09` in Istanbul's time. */
export function timeCell(at: number): string {
  return new Date(at + ISTANBUL_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}
