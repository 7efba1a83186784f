/** The longest time between the two clicks of a double click. */
const DOUBLE_PRESS_MS = 500
/** The longest way between them: browsers count clicks in a row also after another way to close, such as Esc. */
const DOUBLE_PRESS_PX = 24

/**
 * Ignores the second click of a double click whose first click has closed a dialog: it would reach what is below, for
 * example the button that opens the own panel.
 */
export function ignoreSecondPress(first: MouseEvent): void {
  const remainingMs = first.timeStamp + DOUBLE_PRESS_MS - performance.now()
  if (remainingMs <= 0) return
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const ignore = (event: MouseEvent): void => {
    const distancePx = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY)
    if (event.detail < 2 || distancePx > DOUBLE_PRESS_PX) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('mousedown', ignore, options) // it would move the focus
  addEventListener('click', ignore, options)
  setTimeout(() => listening.abort(), remainingMs)
}
