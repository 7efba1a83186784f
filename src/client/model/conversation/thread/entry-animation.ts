/** Messages that come within this time of each other are a burst: about the duration of the animation. */
export const BURST_MS = 250

/** Finds out whether messages come alone or in a burst. */
export class BurstDetector {
  private lastArrivalAt = Number.NEGATIVE_INFINITY

  /** Whether no other message comes together with this one or shortly before it. `now` is in milliseconds. */
  isSingle(count: number, now: number): boolean {
    const isSingle = count === 1 && now - this.lastArrivalAt >= BURST_MS
    this.lastArrivalAt = now
    return isSingle
  }
}

/**
 * Animates a message that comes alone at the end of a thread. A burst is shown at once: every running animation is a
 * compositor layer, and the messages move on before it ends.
 */
export function animateSingleArrivals(thread: HTMLElement, ended: AbortSignal): void {
  const bursts = new BurstDetector()
  // Its callback runs before the next paint.
  const observer = new MutationObserver((records) => {
    const rows = records.flatMap(addedRows)
    const [row] = rows
    if (!row || !bursts.isSingle(rows.length, performance.now()) || thread.dataset.end === 'false') return
    if (row === [...thread.querySelectorAll('.bubble-row')].at(-1)) row.dataset.fresh = ''
  })
  observer.observe(thread, { childList: true, subtree: true })
  ended.addEventListener('abort', () => observer.disconnect())
}

function addedRows({ addedNodes }: MutationRecord): HTMLElement[] {
  return [...addedNodes].flatMap((node) => {
    if (!(node instanceof HTMLElement)) return []
    return node.matches('.bubble-row') ? [node] : [...node.querySelectorAll<HTMLElement>('.bubble-row')]
  })
}
