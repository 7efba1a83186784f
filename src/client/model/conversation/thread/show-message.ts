import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Conversation } from '../conversation.ts'
import { historyLoaderOf } from '../store/history-loader.ts'
import { scrollToMessage } from './scroll-to-message.ts'

/**
 * Shows a message of a conversation in its thread. Returns the text of a failure, or null.
 * @param beforeScroll runs once the message is loaded
 */
export async function showMessage(
  conversation: Conversation,
  id: MessageId,
  beforeScroll = (): void => {},
): Promise<string | null> {
  const failure = await historyLoaderOf(conversation).loadAround(id)
  if (failure !== null) return failure
  beforeScroll()
  // After React has drawn the thread.
  const thread = document.querySelector(`.thread[data-conversation="${conversation.key}"]`)
  requestAnimationFrame(() => scrollToMessage(thread, id, true))
  return null
}
