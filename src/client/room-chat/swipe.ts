import { SWIPE_MOST_PX, SWIPE_REPLY_PX } from '../../shared/text/limits.ts'

/** Before this far a finger has not said whether it scrolls or swipes. */
const UNDECIDED_PX = 8

/** How far a row follows a finger that moved this far to the right: at most 100 px. */
export function pullOf(movedPx: number): number {
  return Math.min(Math.max(movedPx, 0), SWIPE_MOST_PX)
}

/** Lets go at 60 px or beyond, and the message is answered. */
export function isReply(pullPx: number): boolean {
  return pullPx >= SWIPE_REPLY_PX
}

interface Swipe {
  row: HTMLElement
  startX: number
  startY: number
  /** null until the finger has shown that it swipes. */
  pull: number | null
}

/** Follows fingers over the messages of a thread until `ended`. Scrolling stays the browser's. */
export function followFinger(thread: HTMLElement, answer: (messageId: number) => void, ended: AbortSignal): void {
  let swipe: Swipe | null = null
  const listen = { signal: ended, passive: true } as const

  const letGo = (): void => {
    swipe?.row.style.removeProperty('translate')
    delete swipe?.row.dataset.pull
    swipe = null
  }
  thread.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      letGo()
      const [touch] = touches
      const row = target instanceof Element ? target.closest<HTMLElement>('.bubble-row[data-id]') : null
      if (touch && row && touches.length === 1)
        swipe = { row, startX: touch.clientX, startY: touch.clientY, pull: null }
    },
    listen,
  )
  thread.addEventListener(
    'touchmove',
    ({ touches }) => {
      const [touch] = touches
      if (!swipe || !touch || touches.length > 1) return letGo()
      const movedX = touch.clientX - swipe.startX
      const movedY = Math.abs(touch.clientY - swipe.startY)
      if (swipe.pull === null) {
        if (movedY > UNDECIDED_PX || movedX < -UNDECIDED_PX) return letGo()
        if (movedX < UNDECIDED_PX) return
      }
      swipe.pull = pullOf(movedX)
      swipe.row.style.translate = `${swipe.pull}px`
      swipe.row.dataset.pull = isReply(swipe.pull) ? 'reply' : 'on'
    },
    listen,
  )
  const end = (): void => {
    if (swipe?.pull && isReply(swipe.pull)) answer(Number(swipe.row.dataset.id))
    letGo()
  }
  thread.addEventListener('touchend', end, listen)
  thread.addEventListener('touchcancel', letGo, listen)
}
