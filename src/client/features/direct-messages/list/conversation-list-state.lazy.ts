import { callApi } from '../../../core/http/call-api.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { live } from '../../../core/live/state.ts'
import { session } from '../../../core/session/session.ts'
import { effect } from '../../../core/signals/signal.ts'
import { unreadMessageCount } from '../../../model/direct-messages/unread-count.ts'
import { ConversationList } from './conversation-list.ts'

/** The viewer's conversations. The header's button loads them when the page is idle, for its count. */
export const conversationList = new ConversationList(live, (before) =>
  callApi<'conversations'>(`/dm/userconversations${pageQuery(before)}`, { as: 'user' }),
)

session.onClear(() => conversationList.reset())

effect(() => {
  unreadMessageCount.value = conversationList.list.value?.unreadCount ?? 0
})

/** Loads the list for the number of unread messages; a failure is shown by the panel. */
export function watchUnread(): void {
  void conversationList.load(null)
}
