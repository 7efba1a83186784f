/** The longest time between the two presses of a double press. */
const DOUBLE_PRESS_MS = 500

/**
 * Ignores the second press of a double press whose first press has closed a dialog: it would reach what is below, for
 * example the button that opens the own panel.
 */
export function ignoreSecondPress(): void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const ignore = (event: MouseEvent): void => {
    if (event.detail < 2) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('mousedown', ignore, options) // it would move the focus
  addEventListener('click', ignore, options)
  setTimeout(() => listening.abort(), DOUBLE_PRESS_MS)
}
