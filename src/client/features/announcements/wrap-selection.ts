/** Text with a selection, as a field has it. */
interface SelectedText {
  text: string
  start: number
  end: number
}

/** Puts the selection between two tags; the result has the same words selected. */
export function wrapSelection(
  { text, start, end }: SelectedText,
  [open, close]: readonly [string, string],
): SelectedText {
  const wrapped = text.slice(0, start) + open + text.slice(start, end) + close + text.slice(end)
  return { text: wrapped, start: start + open.length, end: end + open.length }
}

/** The HTML of a typed popup: line breaks are kept. */
export function toPopupHtml(typed: string): string {
  return typed.trim().replace(/\r?\n/g, '<br>')
}
