/**
 * Replays the input that an island received before it was live. React does not see that input: it assumes that a field
 * has its rendered value at hydration, and restores that value at the next redraw.
 */

/** Records fields that differ from their rendered values; calling the answer reports these changes to React. */
export function recordInput(island: Element): () => void {
  const changes: (() => void)[] = []
  for (const field of island.querySelectorAll('input, textarea, select')) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      const { checked, defaultChecked } = field
      if (checked !== defaultChecked) changes.push(() => replayChecked(field, checked))
    } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      const { value, defaultValue, type } = field
      if (value !== defaultValue && type !== 'file') changes.push(() => replayText(field, value))
    } else if (field instanceof HTMLSelectElement) {
      const chosen = [...field.selectedOptions]
      if (!sameOptions(chosen, defaultOptions(field))) changes.push(() => replaySelection(field, chosen))
    }
  }
  return () => {
    for (const change of changes) change()
  }
}

/**
 * React compares a field with the value last set through the element's own `value` property, which it wraps.
 * Setting the rendered value there, and the typed one through the prototype, makes React detect the change.
 */
function replayText(field: HTMLInputElement | HTMLTextAreaElement, typed: string): void {
  const { selectionStart, selectionEnd } = field
  field.value = field.defaultValue
  setNatively(field, 'value', typed)
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function replayChecked(field: HTMLInputElement, ticked: boolean): void {
  field.checked = field.defaultChecked
  setNatively(field, 'checked', ticked)
  // Not a MouseEvent, so the browser does not toggle the box; React listens to `click` here.
  field.dispatchEvent(new Event('click', { bubbles: true }))
}

function replaySelection(field: HTMLSelectElement, chosen: HTMLOptionElement[]): void {
  for (const option of field.options) option.selected = chosen.includes(option)
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** A list of one choice shows its first option where the HTML names none. */
function defaultOptions(field: HTMLSelectElement): HTMLOptionElement[] {
  const named = [...field.options].filter((option) => option.defaultSelected)
  return named.length > 0 || field.multiple ? named : [...field.options].slice(0, 1)
}

function sameOptions(some: HTMLOptionElement[], others: HTMLOptionElement[]): boolean {
  return some.length === others.length && some.every((option) => others.includes(option))
}

function setNatively(field: HTMLInputElement | HTMLTextAreaElement, property: string, value: unknown): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, value)
}
