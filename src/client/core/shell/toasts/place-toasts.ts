/** What a toast does not cover: titles, the buttons that close a part or go back, and the dock: that of a mention stays. */
const KEPT_FREE = 'h1, h2, h3, [aria-label="Kapat"], [aria-label="Geri"], .dock-button'
const GAP_PX = 8

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** Moves the toasts, which CSS puts at the top left, below the titles and buttons that they would cover. */
export function placeToasts(toasts: HTMLElement | null): void {
  if (!toasts?.hasChildNodes()) return
  toasts.style.removeProperty('top')
  const box = toasts.getBoundingClientRect()
  const kept = [...document.querySelectorAll(KEPT_FREE)]
    .filter((element) => isInFront(element, toasts))
    .map((element) => element.getBoundingClientRect())
  toasts.style.top = `${findFreeTop(box, kept, innerHeight / 2)}px`
}

/** The first top at which the box covers none of `kept`; its own one when that would be below `maxTop`. */
export function findFreeTop(box: Box, kept: readonly Box[], maxTop: number): number {
  const height = box.bottom - box.top
  let { top } = box
  for (const other of kept.toSorted((one, two) => one.top - two.top)) {
    const isBeside = other.left >= box.right || other.right <= box.left
    if (!isBeside && other.top < top + height && other.bottom > top) top = other.bottom + GAP_PX
  }
  return top > maxTop ? box.top : top
}

/** Whether the middle of an element is visible, except for the toasts above it. */
function isInFront(element: Element, toasts: HTMLElement): boolean {
  if (toasts.contains(element)) return false
  const { left, width, top, height } = element.getBoundingClientRect()
  const front = document.elementsFromPoint(left + width / 2, top + height / 2).find((one) => !toasts.contains(one))
  return front !== undefined && element.contains(front)
}
