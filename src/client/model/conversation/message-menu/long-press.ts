/** A finger that stays this long opens a menu. */
const LONG_PRESS_MS = 500
/** A finger that moves farther scrolls or swipes. */
const MAX_MOVE_PX = 10

/** Calls `run` after a long press on an element that matches `selector`, with the point in the window, until `ended`. */
export function onLongPress(
  container: HTMLElement,
  selector: string,
  run: (element: HTMLElement, point: { x: number; y: number }) => void,
  ended: AbortSignal,
): void {
  let cancel = (): void => {}
  const begin = ({ touches, target }: TouchEvent): void => {
    cancel()
    const [touch] = touches
    const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null
    if (!touch || !element || touches.length > 1) return
    const { clientX: x, clientY: y } = touch
    const listening = new AbortController()
    const { signal } = listening
    const timer = setTimeout(() => {
      cancel()
      ignoreRelease(element)
      run(element, { x, y })
    }, LONG_PRESS_MS)
    cancel = () => {
      clearTimeout(timer)
      listening.abort()
    }
    const move = (event: TouchEvent): void => {
      const [moved] = event.touches
      if (!moved || Math.hypot(moved.clientX - x, moved.clientY - y) > MAX_MOVE_PX) cancel()
    }
    element.addEventListener('touchmove', move, { signal, passive: true })
    for (const name of ['touchend', 'touchcancel'] as const) element.addEventListener(name, () => cancel(), { signal })
  }
  container.addEventListener('touchstart', begin, { signal: ended, passive: true })
  // The browser's own menu of a long press.
  container.addEventListener(
    'contextmenu',
    (event) => {
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      if (isTouch && event.target instanceof Element && event.target.closest(selector)) event.preventDefault()
    },
    { signal: ended },
  )
  ended.addEventListener('abort', () => cancel())
}

/** The release of the finger is no click on what lies below it. A scroll cancels the touch: then no release comes. */
function ignoreRelease(element: HTMLElement): void {
  const touch = new AbortController()
  const { signal } = touch
  element.addEventListener('touchend', (event) => event.preventDefault(), { signal })
  for (const name of ['touchend', 'touchcancel']) element.addEventListener(name, () => touch.abort(), { signal })
}
