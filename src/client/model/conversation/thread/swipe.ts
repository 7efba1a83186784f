import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { MAX_SWIPE_PX, SWIPE_REPLY_PX } from '../../../../shared/room-chat/limits.ts'
import type { Bubble } from '../store/message-types.ts'

/** A finger that has moved less than this may still scroll. */
const DECISION_THRESHOLD_PX = 8

/** How far a row follows a finger that moved this far to the right: at most 100 px. */
export function dragOffset(movedPx: number): number {
  return Math.min(Math.max(movedPx, 0), MAX_SWIPE_PX)
}

/** A finger that lifts at 60 px or beyond starts a reply. */
export function isReplyDrag(dragPx: number): boolean {
  return dragPx >= SWIPE_REPLY_PX
}

interface Swipe {
  row: HTMLElement
  message: Bubble
  startX: number
  startY: number
  /** null until the finger has moved far enough to the right. */
  dragPx: number | null
}

interface SwipeHandlers {
  findMessage(id: MessageId): Bubble | null
  reply(message: Bubble): void
}

/**
 * Follows swipes over the messages of a thread until `ended`; the browser scrolls. The row itself listens from the first
 * touch on: a busy thread may remove the row under the finger, and its events would no longer reach the thread.
 */
export function trackSwipe(thread: HTMLElement, { findMessage, reply }: SwipeHandlers, ended: AbortSignal): void {
  let swipe: Swipe | null = null
  const listen = { signal: ended, passive: true } as const

  const release = (): void => {
    if (!swipe) return
    const { row } = swipe
    row.style.removeProperty('translate')
    delete row.dataset.drag
    row.removeEventListener('touchmove', move)
    row.removeEventListener('touchend', end)
    row.removeEventListener('touchcancel', release)
    swipe = null
  }
  const move = ({ touches }: TouchEvent): void => {
    const [touch] = touches
    if (touches.length > 1) release()
    if (!swipe || !touch) return
    const movedX = touch.clientX - swipe.startX
    const movedY = Math.abs(touch.clientY - swipe.startY)
    if (swipe.dragPx === null) {
      const isNoSwipe = movedY > DECISION_THRESHOLD_PX || movedX < -DECISION_THRESHOLD_PX
      if (isNoSwipe) release()
      if (isNoSwipe || movedX < DECISION_THRESHOLD_PX) return
    }
    swipe.dragPx = dragOffset(movedX)
    swipe.row.style.translate = `${swipe.dragPx}px`
    swipe.row.dataset.drag = isReplyDrag(swipe.dragPx) ? 'reply' : 'on'
  }
  const end = (): void => {
    if (swipe?.dragPx && isReplyDrag(swipe.dragPx)) reply(swipe.message)
    release()
  }
  thread.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      release()
      const [touch] = touches
      const row = target instanceof Element ? target.closest<HTMLElement>('.bubble-row[data-id]') : null
      const message = row && findMessage(Number(row.dataset.id))
      if (!touch || !row || !message || touches.length > 1) return
      swipe = { row, message, startX: touch.clientX, startY: touch.clientY, dragPx: null }
      row.addEventListener('touchmove', move, listen)
      row.addEventListener('touchend', end, listen)
      row.addEventListener('touchcancel', release, listen)
    },
    listen,
  )
}
