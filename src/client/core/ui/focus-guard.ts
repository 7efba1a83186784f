/**
 * Keeps the focus on the page: when the focused element is removed or disabled, the nearest focusable ancestor gets it,
 * in a dialog its first button, else the main part. Otherwise Tab would start at the top of the page.
 */
export function installFocusGuard(page: Document): void {
  let focusPath: EventTarget[] = []
  page.addEventListener('focusin', (event) => {
    focusPath = event.composedPath()
  })
  const restoreFocus = (): void => refocus(page, focusPath)
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // A deliberate focus change has a `relatedTarget`.
    if (relatedTarget === null) queueMicrotask(restoreFocus)
  })
  // Firefox sends no `focusout` when the focused element is removed.
  new MutationObserver(restoreFocus).observe(page.body, { childList: true, subtree: true })
}

function refocus(page: Document, focusPath: readonly EventTarget[]): void {
  const [lost] = focusPath
  if (page.activeElement !== page.body || !(lost instanceof Element) || isFocusableNow(lost)) return
  const ancestor = focusPath.find(
    (target) => target instanceof HTMLElement && isFocusableNow(target) && isFocusTarget(target),
  )
  const container = ancestor ?? page.querySelector('main')
  const next = container instanceof HTMLDialogElement ? container.querySelector('button') : container
  if (next instanceof HTMLElement) next.focus({ preventScroll: true })
}

function isFocusableNow(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function isFocusTarget(element: HTMLElement): boolean {
  return element.hasAttribute('tabindex') || element instanceof HTMLDialogElement
}
