/**
 * Calls `run` when nothing else handles an Esc that is on its way to `target`: layers inside, such as a reply or the emoji
 * picker, handle it on the document and on the window, after the elements.
 */
export function onUnhandledEscape(event: KeyboardEvent, run: () => void, target: EventTarget = window): void {
  if (event.key !== 'Escape') return
  const finish = (last: Event): void => {
    if (last !== event || last.defaultPrevented) return
    last.preventDefault()
    run()
  }
  // A listener that is added now is the last one.
  target.addEventListener('keydown', finish, { once: true })
}
