/** Replaces a range of a field with text, as if typed; the caret follows it. */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  if (field.value.length - (to - from) + text.length > field.maxLength) return
  field.setRangeText(text, from, to, 'end')
  // React handles it as a key press.
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
