import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { prefersStill } from '../../../core/ui/prefers-still.ts'

const HIGHLIGHT_MS = 1_600

/**
 * Scrolls a message of a thread into view, and highlights it for a moment.
 * @param isFar the messages between were not drawn before, so an animation would show nothing
 */
export function scrollToMessage(thread: Element | null, messageId: MessageId, isFar = false): void {
  const row = thread?.querySelector<HTMLElement>(`.bubble-row[data-id="${messageId}"]`)
  if (!row) return
  row.scrollIntoView({ block: 'center', behavior: isFar || prefersStill() ? 'auto' : 'smooth' })
  row.focus({ preventScroll: true })
  row.dataset.highlighted = ''
  setTimeout(() => delete row.dataset.highlighted, HIGHLIGHT_MS)
}
