import { callApi } from '../../../core/http/call-api.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { live } from '../../../core/live/state.ts'
import { session } from '../../../core/session/session.ts'
import { effect } from '../../../core/signals/signal.ts'
import { unreadMessageCount } from '../../../model/direct-messages/unread-count.ts'
import { ConversationList } from './conversation-list.ts'

/** The viewer's conversations. The header's button loads them when the page is idle, for its count. */
export const conversationList = new ConversationList(live, async (before) => {
  const answer = await callApi<'conversations'>(`/dm/userconversations${pageQuery(before)}`, { as: 'user' })
  return isFailure(answer) ? null : answer
})

session.onClear(() => {
  conversationList.list.value = null
})

effect(() => {
  unreadMessageCount.value = conversationList.list.value?.unreadCount ?? 0
})

/** Loads the list for the number of unread messages; a failure is shown by the panel. */
export function watchUnread(): void {
  void conversationList.loadOnce()
}
