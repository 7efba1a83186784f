import type { MessageId } from '../../../shared/protocol/ids.ts'
import type { Bubble } from '../../model/conversation/store/message-types.ts'

/** A message with its tick: the same object for the same bubble, so React does not redraw it. */
const readBubbles = new WeakMap<Bubble, Bubble>()

/** @param readUpTo the other user has read the viewer's messages up to here */
export function withTick(bubble: Bubble, readUpTo: MessageId): Bubble {
  if (bubble.status !== 'sent' || !bubble.isOwn || (bubble.id ?? 0) > readUpTo) return bubble
  const read = readBubbles.get(bubble) ?? { ...bubble, status: 'read' }
  readBubbles.set(bubble, read)
  return read
}
