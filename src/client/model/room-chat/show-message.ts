import type { MessageId } from '../../../shared/protocol/ids.ts'
import { messageOfHash } from '../../../shared/room-chat/message-link.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { showMessage } from '../conversation/thread/show-message.ts'
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

/** Shows a message of the shown room, as `showMessage`. */
export async function showRoomMessage(id: MessageId, beforeScroll?: () => void): Promise<string | null> {
  const conversation = roomConversations.current
  return conversation ? showMessage(conversation, id, beforeScroll) : null
}

/** The conversation of the URL's room, once the tab has entered it. */
async function enteredConversation(): Promise<RoomConversation> {
  for (;;) {
    const { current } = roomConversations
    if (current && location.pathname === `/room/${current.roomId}` && current.isReady()) return current
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
