import { session } from '../accounts/session.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { replayMissed } from '../live/replay-missed.ts'
import { live } from '../live/state.ts'
import { effect } from '../signal.ts'
import { NO_UNREAD, NotificationStore } from './notification-store.ts'
import { unreadNotificationCount } from './unread-count.ts'

// This code loads after the page, with the header's button.
export const notifications: NotificationStore = replayMissed(
  live,
  () =>
    new NotificationStore(live, async (tab, before) => {
      const query = new URLSearchParams({ tab, ...(before !== null && { before }) })
      const answer = await callApi<'notifications'>(`/notifications?${query}`, { as: 'user' })
      return isFailure(answer) ? null : answer
    }),
  () => {},
)
// Another page may have been shown since the connection opened, and its buffer lacks the list.
if (live.isConnected() && !notifications.hasInitial) void notifications.refresh()

// A mention in the room that the viewer looks at is read, and stays in the list.
live.on('newNotification', ({ type, id, roomId }) => {
  if (type !== 'mention' || roomId !== live.roomId || !document.hasFocus()) return
  void live.request('notificationRead', { notificationId: id, remove: false })
})

session.onClear(() => {
  notifications.tabs.value = {}
  notifications.unread.value = NO_UNREAD
})

effect(() => {
  unreadNotificationCount.value = Object.values(notifications.unread.value).reduce((sum, count) => sum + count, 0)
})
