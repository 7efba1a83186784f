/**
 * Keeps the focus where one can see it: when what has it goes away, or can be pressed no more, it goes to the nearest
 * thing around that can take it, in a window to the first button, else to the main part of the page. Without this it
 * would be nowhere, and Tab would begin at the top of the page.
 */
export function installFocusGuard(page: Document): void {
  let around: EventTarget[] = []
  page.addEventListener('focusin', (event) => {
    around = event.composedPath()
  })
  const look = (): void => refocus(page, around)
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // Whoever takes it away on purpose gives it to something else at once.
    if (relatedTarget === null) queueMicrotask(look)
  })
  // Firefox does not tell that what has the focus goes away.
  new MutationObserver(look).observe(page.body, { childList: true, subtree: true })
}

function refocus(page: Document, around: readonly EventTarget[]): void {
  const [lost] = around
  if (page.activeElement !== page.body || !(lost instanceof Element) || isFocusableNow(lost)) return
  const next = around.find((target) => target instanceof HTMLElement && isFocusableNow(target) && isFocusTarget(target))
  const place = next ?? page.querySelector('main')
  const taker = place instanceof HTMLDialogElement ? place.querySelector('button') : place
  if (taker instanceof HTMLElement) taker.focus({ preventScroll: true })
}

function isFocusableNow(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function isFocusTarget(element: HTMLElement): boolean {
  return element.hasAttribute('tabindex') || element instanceof HTMLDialogElement
}
