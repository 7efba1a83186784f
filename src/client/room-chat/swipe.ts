import { MAX_SWIPE_PX, SWIPE_REPLY_PX } from '../../shared/text/limits.ts'
import type { Bubble } from './state.ts'

/** Before this far a finger has not said whether it scrolls or swipes. */
const UNDECIDED_PX = 8

/** How far a row follows a finger that moved this far to the right: at most 100 px. */
export function pullOf(movedPx: number): number {
  return Math.min(Math.max(movedPx, 0), MAX_SWIPE_PX)
}

/** Lets go at 60 px or beyond, and the message is answered. */
export function isReply(pullPx: number): boolean {
  return pullPx >= SWIPE_REPLY_PX
}

interface Swipe {
  row: HTMLElement
  message: Bubble
  startX: number
  startY: number
  /** null until the finger has shown that it swipes. */
  pull: number | null
}

interface Messages {
  find(id: number): Bubble | null
  answer(message: Bubble): void
}

/**
 * Follows fingers over the messages of a thread until `ended`. Scrolling stays the browser's. The row itself listens
 * from the first touch on: where much is said it leaves the thread under the finger, and the thread hears no more of it.
 */
export function followFinger(thread: HTMLElement, { find, answer }: Messages, ended: AbortSignal): void {
  let swipe: Swipe | null = null
  const listen = { signal: ended, passive: true } as const

  const letGo = (): void => {
    if (!swipe) return
    const { row } = swipe
    row.style.removeProperty('translate')
    delete row.dataset.pull
    row.removeEventListener('touchmove', move)
    row.removeEventListener('touchend', end)
    row.removeEventListener('touchcancel', letGo)
    swipe = null
  }
  const move = ({ touches }: TouchEvent): void => {
    const [touch] = touches
    if (touches.length > 1) letGo()
    if (!swipe || !touch) return
    const movedX = touch.clientX - swipe.startX
    const movedY = Math.abs(touch.clientY - swipe.startY)
    if (swipe.pull === null) {
      const isElsewhere = movedY > UNDECIDED_PX || movedX < -UNDECIDED_PX
      if (isElsewhere) letGo()
      if (isElsewhere || movedX < UNDECIDED_PX) return
    }
    swipe.pull = pullOf(movedX)
    swipe.row.style.translate = `${swipe.pull}px`
    swipe.row.dataset.pull = isReply(swipe.pull) ? 'reply' : 'on'
  }
  const end = (): void => {
    if (swipe?.pull && isReply(swipe.pull)) answer(swipe.message)
    letGo()
  }
  thread.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      letGo()
      const [touch] = touches
      const row = target instanceof Element ? target.closest<HTMLElement>('.bubble-row[data-id]') : null
      const message = row && find(Number(row.dataset.id))
      if (!touch || !row || !message || touches.length > 1) return
      swipe = { row, message, startX: touch.clientX, startY: touch.clientY, pull: null }
      row.addEventListener('touchmove', move, listen)
      row.addEventListener('touchend', end, listen)
      row.addEventListener('touchcancel', letGo, listen)
    },
    listen,
  )
}
