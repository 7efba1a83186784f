/** Puts text into a field in place of what lies between two places, as if it was typed there; the caret goes behind it. */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  if (field.value.length - (to - from) + text.length > field.maxLength) return
  field.setRangeText(text, from, to, 'end')
  // React hears of it as of every key.
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
