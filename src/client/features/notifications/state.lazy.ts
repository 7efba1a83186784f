import type { RoomId } from '../../../shared/protocol/ids.ts'
import { callApi } from '../../core/http/call-api.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { setLinkToast } from '../../core/shell/toasts/toast.ts'
import { effect } from '../../core/signals/signal.ts'
import { fetchRoom } from '../../model/rooms/fetch-room.ts'
import { listedRooms } from '../../model/rooms/room-users-state.ts'
import { MentionToasts } from './mention-toasts.ts'
import { NotificationStore } from './notification-store.ts'
import { unreadMentions, unreadNotificationCount } from './unread-count.ts'

/** A move reads the latest mentions in the room only: each is a request. */
const MAX_READ_ON_MOVE = 20

// This code loads after the page, with the header's button.
export const notifications: NotificationStore = replayMissed(live, () => {
  const store = new NotificationStore(live, (tab, before) => {
    const query = new URLSearchParams({ tab, ...(before !== null && { before }) })
    return callApi<'notifications'>(`/notifications?${query}`, { as: 'user' })
  })
  new MentionToasts({ live, store, show: setLinkToast, roomName }).start()
  return store
})
// Another page may have been shown since the connection opened, and its buffer lacks the list.
if (live.isConnected() && !notifications.hasInitial) void notifications.reload()

// A mention in the room that the viewer looks at is read, and stays in the list.
live.on('newNotification', ({ type, id, roomId }) => {
  if (type !== 'mention' || roomId !== live.roomId || !document.hasFocus()) return
  void live.request('notificationRead', { notificationId: id, remove: false })
})

// A move to another room reads its mentions, which stay in the list.
let formerRoomId = live.roomId
effect(() => {
  const roomId = shownRoom.value?.id ?? null
  if (formerRoomId !== null && roomId !== null && roomId !== formerRoomId) readMentionsOf(roomId)
  formerRoomId = roomId
})

function readMentionsOf(roomId: RoomId): void {
  const unread = (notifications.lists.mention.list.peek()?.items ?? []).filter(
    (mention) => mention.roomId === roomId && !mention.read,
  )
  for (const { id } of unread.slice(0, MAX_READ_ON_MOVE))
    void live.request('notificationRead', { notificationId: id, remove: false })
}

/** A room that is not in the list is asked for; '' without an answer. */
async function roomName(roomId: RoomId): Promise<string> {
  const listed = listedRooms.peek().find(({ id }) => id === roomId)
  if (listed) return listed.name
  return fetchRoom(roomId).then(
    ({ room }) => room.name,
    () => '',
  )
}

session.onClear(() => notifications.clear())

effect(() => {
  const byRoom = new Map<RoomId, number>()
  for (const { roomId, read } of notifications.lists.mention.list.value?.items ?? [])
    if (roomId !== null && !read) byRoom.set(roomId, (byRoom.get(roomId) ?? 0) + 1)
  unreadMentions.value = byRoom
})

effect(() => {
  unreadNotificationCount.value = Object.values(notifications.unread.value).reduce((sum, count) => sum + count, 0)
})
