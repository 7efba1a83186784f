import {
  CONVERSATION_DELETED,
  CONVERSATION_HIDDEN,
  CONVERSATION_NOT_DELETED,
  CONVERSATION_NOT_HIDDEN,
} from '../../../shared/direct-messages/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { conversationList } from './list/conversation-list-state.lazy.ts'
import { closeWindow } from './windows/window-state.ts'

/** The other user of a conversation. */
export interface ConversationTarget {
  id: UserId
  username: string
}

/** Hides a conversation until its next message, closes its window, and shows the result in a toast. */
export async function hideConversation({ id, username }: ConversationTarget): Promise<void> {
  const body = { targetUsername: username, targetUserId: id }
  const answer = await callApi<'hideConversation'>('/conversation-status/hideconversation', { as: 'user', body })
  if (isFailure(answer)) return toast(CONVERSATION_NOT_HIDDEN, 'error')
  conversationList.drop(id)
  closeWindow(id)
  return toast(CONVERSATION_HIDDEN, 'success')
}

/** Deletes a conversation for the viewer, and shows the result in a toast. Returns whether it succeeded. */
export async function deleteConversation({ id, username }: ConversationTarget): Promise<boolean> {
  // Closed before the event arrives, which reports a conversation that ends while it is open.
  closeWindow(id)
  const body = { targetUsername: username, targetUserId: id }
  const answer = await callApi<'deleteConversation'>('/dm/delete', { as: 'user', body })
  const isDone = !isFailure(answer)
  if (isDone) conversationList.drop(id)
  void toast(isDone ? CONVERSATION_DELETED : CONVERSATION_NOT_DELETED, isDone ? 'success' : 'error')
  return isDone
}
