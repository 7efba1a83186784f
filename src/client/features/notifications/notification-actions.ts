import type { Notification } from '../../../shared/notifications/notification.ts'
import { clearableTabs, type NotificationTab } from '../../../shared/notifications/rules.ts'
import { live } from '../../core/live/state.ts'
import { answerFollowRequest } from '../../model/relations/follows.ts'
import { notifications } from './state.lazy.ts'

type ClearableTab = (typeof clearableTabs)[number]

/** Whether a tab can be emptied: requests wait for their answer. */
export function isClearable(tab: NotificationTab): tab is ClearableTab {
  return clearableTabs.some((clearable) => clearable === tab)
}

/** Marks a notification as read, which removes it (specification 1, point 4). Without a connection it comes back. */
export function dismiss({ id }: Notification): void {
  notifications.remove(id)
  void live.request('notificationRead', { notificationId: id, remove: true })
}

/** Marks what a tab shows as read, and removes it or leaves it there. */
export function readTab(tab: ClearableTab, remove: boolean): void {
  const latest = notifications.lists[tab].list.peek()?.items[0]
  if (latest) void live.request('notificationTabRead', { tab, upTo: latest.createdAt, remove })
}

/** Accepts or rejects a request to follow the viewer. Its notification goes with the event; a failure is only logged. */
export function answerRequest({ requestId }: Notification, isAccepted: boolean): Promise<boolean> {
  return answerFollowRequest(requestId ?? 0, isAccepted)
}
