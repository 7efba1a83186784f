import { MAX_SWIPE_PX, SWIPE_REPLY_PX } from '../../../shared/room-chat/limits.ts'
import type { Bubble } from '../../room-chat/state.ts'

/** Before this far a finger has not said whether it scrolls or swipes. */
const DECISION_THRESHOLD_PX = 8

/** How far a row follows a finger that moved this far to the right: at most 100 px. */
export function dragOffset(movedPx: number): number {
  return Math.min(Math.max(movedPx, 0), MAX_SWIPE_PX)
}

/** Lets go at 60 px or beyond, and the message is answered. */
export function isReplyDrag(pullPx: number): boolean {
  return pullPx >= SWIPE_REPLY_PX
}

interface Swipe {
  row: HTMLElement
  message: Bubble
  startX: number
  startY: number
  /** null until the finger has shown that it swipes. */
  dragPx: number | null
}

interface SwipeHandlers {
  findMessage(id: number): Bubble | null
  reply(message: Bubble): void
}

/**
 * Follows fingers over the messages of a thread until `ended`. Scrolling stays the browser's. The row itself listens
 * from the first touch on: where much is said it leaves the thread under the finger, and the thread hears no more of it.
 */
export function trackSwipe(thread: HTMLElement, { findMessage, reply }: SwipeHandlers, ended: AbortSignal): void {
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
    if (swipe.dragPx === null) {
      const isElsewhere = movedY > DECISION_THRESHOLD_PX || movedX < -DECISION_THRESHOLD_PX
      if (isElsewhere) letGo()
      if (isElsewhere || movedX < DECISION_THRESHOLD_PX) return
    }
    swipe.dragPx = dragOffset(movedX)
    swipe.row.style.translate = `${swipe.dragPx}px`
    swipe.row.dataset.pull = isReplyDrag(swipe.dragPx) ? 'reply' : 'on'
  }
  const end = (): void => {
    if (swipe?.dragPx && isReplyDrag(swipe.dragPx)) reply(swipe.message)
    letGo()
  }
  thread.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      letGo()
      const [touch] = touches
      const row = target instanceof Element ? target.closest<HTMLElement>('.bubble-row[data-id]') : null
      const message = row && findMessage(Number(row.dataset.id))
      if (!touch || !row || !message || touches.length > 1) return
      swipe = { row, message, startX: touch.clientX, startY: touch.clientY, dragPx: null }
      row.addEventListener('touchmove', move, listen)
      row.addEventListener('touchend', end, listen)
      row.addEventListener('touchcancel', letGo, listen)
    },
    listen,
  )
}
