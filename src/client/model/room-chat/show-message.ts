import type { MessageId } from '../../../shared/protocol/ids.ts'
import { messageOfHash } from '../../../shared/room-chat/message-link.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { historyLoaderOf } from '../conversation/store/history-loader.ts'
import { scrollToMessage } from '../conversation/thread/scroll-to-message.ts'
import { roomSubscription } from '../rooms/state.ts'
import type { RoomConversation } from './room-conversation.ts'
import { roomConversations } from './state.ts'

/** Who waits for the room of the URL to be entered. */
const waiting: (() => void)[] = []
const retry = (): void => waiting.splice(0).forEach((resolve) => void resolve())
roomSubscription.addListener({ onPageOpened: retry, onJoined: retry })
live.onConnected(retry)

/** Shows the message that the URL names, and takes it from there, so that a reload does not show it again. */
export async function showLinkedMessage(): Promise<void> {
  const id = messageOfHash(location.hash)
  if (id === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  await enteredConversation()
  const failure = await showRoomMessage(id)
  if (failure !== null) void toast(failure, 'error')
}

/**
 * Shows a message of the shown room in its thread. Returns the text of a failure, or null.
 * @param beforeScroll runs once the message is loaded
 */
export async function showRoomMessage(id: MessageId, beforeScroll = (): void => {}): Promise<string | null> {
  const conversation = roomConversations.current
  if (!conversation) return null
  const failure = await historyLoaderOf(conversation).loadAround(id)
  if (failure !== null) return failure
  beforeScroll()
  // After React has drawn the thread.
  const thread = document.querySelector(`.thread[data-conversation="${conversation.key}"]`)
  requestAnimationFrame(() => scrollToMessage(thread, id, true))
  return null
}

/** The conversation of the URL's room, once the tab has entered it. */
async function enteredConversation(): Promise<RoomConversation> {
  for (;;) {
    const { current } = roomConversations
    if (current && location.pathname === `/room/${current.roomId}` && current.isReady()) return current
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
