import { beforeEach, expect, it } from 'vitest'
import type { Notification } from '../../../shared/notifications/notification.ts'
import { EventHandlers } from '../../core/live/event-handlers.ts'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import type { LinkToast } from '../../core/shell/toasts/toast.ts'
import { MentionToasts } from './mention-toasts.ts'
import { NO_UNREAD, NotificationStore } from './notification-store.ts'

function mention(id: number, roomId: number): Notification {
  return {
    id,
    type: 'mention',
    requestId: null,
    senderId: 2,
    recipientId: 1,
    senderUsername: 'can',
    recipientUsername: 'ada',
    senderAvatarUrl: null,
    senderGender: null,
    senderIsGuest: false,
    senderCount: 1,
    read: false,
    content: `@[{ada}] gel ${id}`,
    roomId,
    messageSender: 'can',
    messageId: 100 + id,
    postId: null,
    postOwnerId: null,
    postOwnerUsername: null,
    createdAt: id,
  }
}

let events: EventHandlers
let live: EventHandlers & { roomId: number | null }
let shown: (LinkToast | null)[]
let namedRooms: number[]
beforeEach(() => {
  namedRooms = []
  events = new EventHandlers(new FakeEnvironment())
  live = Object.assign(events, { roomId: 1 })
  shown = []
  const store = new NotificationStore(events, async () => 'disconnected')
  const show = async (toast: LinkToast | null) => void shown.push(toast)
  const roomName = async (roomId: number) => {
    namedRooms.push(roomId)
    return roomId === 9 ? '' : `Oda${roomId}`
  }
  new MentionToasts({ live, store, show, roomName }).start()
  const hello = { notifications: [mention(1, 5)], next: {}, unread: NO_UNREAD, unreadMessages: 0, cursor: 0 }
  events.deliver('initialNotifications', hello, null)
})

async function receive(...notifications: Notification[]): Promise<void> {
  for (const notification of notifications)
    events.deliver('newNotification', { ...notification, unread: NO_UNREAD, removedId: null }, notification.id)
  await settled()
}
async function read(ids: number[], isRemoved: boolean): Promise<void> {
  events.deliver('notificationsRead', { notificationIds: ids, isRemoved, unread: NO_UNREAD }, 50)
  await settled()
}
/** The name of a room comes in a microtask. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const latest = () => shown.at(-1)

it('[NOTE-90] shows a mention in another room with the name of the room and a link to the message', async () => {
  await receive(mention(2, 3))
  expect(latest()).toMatchObject({
    title: '#Oda3',
    text: 'can senden bahsetti: @ada gel 2',
    note: '',
    href: '/room/3#message-102',
  })
})

it('[NOTE-90] shows none for the present room, for other types and for mentions that were there before', async () => {
  await receive(mention(2, 1), { ...mention(3, 3), type: 'comment' })
  expect(shown).toEqual([])
})

it('[SHELL-152] asks for the name of each room once, however many mentions come', async () => {
  for (let id = 2; id < 12; id++) await receive(mention(id, id % 2 === 0 ? 3 : 9))
  expect(namedRooms).toEqual([3, 9])
  await read([2, 3, 4, 5, 6, 7, 8, 9, 10, 11], true)
  expect(latest()).toBeNull()
  await receive(mention(12, 3))
  expect(namedRooms).toEqual([3, 9, 3])
})

it('[NOTE-90] names no room that cannot be loaded', async () => {
  await receive(mention(2, 9))
  expect(latest()?.title).toBe('Başka bir odada')
})

it('[NOTE-91] has one toast for the mentions of a room, the other rooms follow when it is closed', async () => {
  await receive(mention(2, 3), mention(3, 4), mention(4, 4), mention(5, 6))
  expect(latest()).toMatchObject({ title: '#Oda6', note: '2 odada daha' })
  latest()?.onClose()
  await settled()
  expect(latest()).toMatchObject({
    title: '#Oda4',
    note: 'Bu odada 2 bahsetme · 1 odada daha',
    href: '/room/4#message-104',
  })
  latest()?.onClose()
  await settled()
  expect(latest()).toMatchObject({ title: '#Oda3', note: '' })
  latest()?.onClose()
  await settled()
  expect(latest()).toBeNull()
})

it('[NOTE-92] goes when its mentions are read or removed, here or on another device', async () => {
  await receive(mention(2, 3), mention(3, 4))
  await read([3], false)
  expect(latest()).toMatchObject({ title: '#Oda3', note: '' })
  await read([2], true)
  expect(latest()).toBeNull()
  events.deliver('notificationTabRead', { tab: 'mention', upTo: 9, isRemoved: true, unread: NO_UNREAD }, 51)
  await receive(mention(4, 3))
  events.deliver('notificationTabRead', { tab: 'mention', upTo: 9, isRemoved: false, unread: NO_UNREAD }, 52)
  await settled()
  expect(latest()).toBeNull()
})
