const HIGHLIGHT_MS = 1_600

/**
 * Brings a message of the thread into view, and lights it up for a moment.
 * @param isFar what lies between was not on the screen, so nothing is to be seen on the way
 */
export function scrollToMessage(messageId: number, isFar = false): void {
  const row = document.querySelector<HTMLElement>(`.bubble-row[data-id="${messageId}"]`)
  if (!row) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  row.scrollIntoView({ block: 'center', behavior: isStill || isFar ? 'auto' : 'smooth' })
  row.focus({ preventScroll: true })
  row.dataset.lit = ''
  setTimeout(() => delete row.dataset.lit, HIGHLIGHT_MS)
}
