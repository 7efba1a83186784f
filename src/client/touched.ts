/**
 * What people did to an island before it was live. React hears of none of it by itself: it takes what a field
 * holds at hydration for what it rendered, and puts its own value back at the next redraw.
 */

/** Records presses of plain buttons until `stop`; calling the answer presses the last of them again. */
export function recordPresses(island: Element, stop: AbortSignal): () => void {
  let pressed: HTMLElement | null = null
  const record = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : null
    // Links and submit buttons do their work without a script, so they are left alone.
    pressed = target?.closest<HTMLElement>('button[type=button]') ?? null
  }
  island.addEventListener('click', record, { signal: stop })
  return () => {
    if (pressed?.isConnected) pressed.click()
  }
}

/** Tells React of every field that no longer holds what the server rendered. */
export function typeAgain(island: Element): void {
  for (const field of island.querySelectorAll('input, textarea, select')) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) tickAgain(field)
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) writeAgain(field)
    else field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/**
 * React compares a field with the value last set through the element's own `value` property, which it wraps.
 * Setting the rendered value there and the typed one through the prototype makes the difference seen.
 */
function writeAgain(field: HTMLInputElement | HTMLTextAreaElement): void {
  const typed = field.value
  if (typed === field.defaultValue || field.type === 'file') return
  const { selectionStart, selectionEnd } = field
  field.value = field.defaultValue
  setNatively(field, 'value', typed)
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function tickAgain(field: HTMLInputElement): void {
  const ticked = field.checked
  if (ticked === field.defaultChecked) return
  field.checked = field.defaultChecked
  setNatively(field, 'checked', ticked)
  // Not a MouseEvent, so the browser does not toggle the box; React listens to `click` here.
  field.dispatchEvent(new Event('click', { bubbles: true }))
}

function setNatively(field: HTMLInputElement | HTMLTextAreaElement, property: string, value: unknown): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, value)
}
