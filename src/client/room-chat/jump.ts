const LIT_MS = 1_600

/** Brings a message of the thread into view, and lights it up for a moment. */
export function jumpTo(messageId: number): void {
  const row = document.querySelector<HTMLElement>(`.bubble-row[data-id="${messageId}"]`)
  if (!row) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  row.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
  row.focus({ preventScroll: true })
  row.dataset.lit = ''
  setTimeout(() => delete row.dataset.lit, LIT_MS)
}
