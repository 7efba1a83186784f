import { expect, it } from 'vitest'
import type { Notification } from '../../../shared/notifications/notification.ts'
import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type { Result } from '../../../shared/protocol/result.ts'
import { EventHandlers } from '../../core/live/event-handlers.ts'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import { NO_UNREAD, NotificationStore } from './notification-store.ts'

function call(id: number): Notification {
  return {
    id,
    type: 'dmCall',
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
    content: 'voice',
    roomId: null,
    messageSender: null,
    messageId: null,
    postId: null,
    postOwnerId: null,
    postOwnerUsername: null,
    createdAt: id,
  }
}

function openStore(answer: Result<RouteAnswer<'notifications'>> = 'disconnected') {
  const events = new EventHandlers(new FakeEnvironment())
  return { events, store: new NotificationStore(events, async () => answer) }
}
const idsOf = (store: NotificationStore) => store.lists.dmCall.list.peek()?.items.map(({ id }) => id)

it('[NOTE-08] drops the notification that a new one displaces', () => {
  const { events, store } = openStore()
  const notifications = [call(3), call(2), call(1)]
  const initial = { notifications, next: {}, unread: NO_UNREAD, unreadMessages: 0, cursor: 0 }
  events.deliver('initialNotifications', initial, null)
  events.deliver('newNotification', { ...call(4), unread: NO_UNREAD, removedId: 1 }, 1)
  expect(idsOf(store)).toEqual([4, 3, 2])
})

it('[NOTE-11] shows the list of the last hello alone, and takes direct messages for none of its tabs', () => {
  const { events, store } = openStore()
  const hello = (notifications: Notification[]) =>
    events.deliver(
      'initialNotifications',
      { notifications, next: {}, unread: { ...NO_UNREAD, dmCall: 1 }, unreadMessages: 1, cursor: 0 },
      null,
    )
  hello([call(2), call(1)])
  hello([call(3), { ...call(9), type: 'dm' }])
  expect(idsOf(store)).toEqual([3])
  expect(store.unread.peek().dmCall).toBe(1)
})

it('[NOTE-22] says when a page could not be loaded, and loads a tab once', async () => {
  const failing = openStore()
  expect(await failing.store.lists.dmCall.load(null)).toBe('Bildirimler alınamadı.')
  const page = { success: true as const, notifications: [call(1)], next: null, unread: { ...NO_UNREAD, dmCall: 1 } }
  const { store } = openStore(page)
  expect(await store.lists.dmCall.load(null)).toBeNull()
  expect([idsOf(store), store.unread.peek().dmCall]).toEqual([[1], 1])
  store.remove(1)
  expect(await store.lists.dmCall.load(null)).toBeNull()
  expect(idsOf(store)).toEqual([])
})

it('[NOTE-22] adds older pages at their end, once each', async () => {
  const answers = [[call(4), call(3)], [call(3), call(2)], null, [call(1)]]
  const events = new EventHandlers(new FakeEnvironment())
  const requested: (string | null)[] = []
  const store = new NotificationStore(events, async (_, before) => {
    requested.push(before)
    const notifications = answers.shift()
    const next = answers.length > 0 ? `${notifications?.at(-1)?.createdAt}-0` : null
    return notifications ? { success: true as const, notifications, next, unread: NO_UNREAD } : 'disconnected'
  })
  await store.lists.dmCall.load(null)
  await store.lists.dmCall.load('3-0')
  expect(idsOf(store)).toEqual([4, 3, 2])
  expect(await store.lists.dmCall.load('2-0')).toBe('Bildirimler alınamadı.')
  await store.lists.dmCall.load('2-0')
  expect([idsOf(store), requested]).toEqual([
    [4, 3, 2, 1],
    [null, '3-0', '2-0', '2-0'],
  ])
})

it('[NOTE-21] takes the counts of a page unless newer ones have come meanwhile', async () => {
  for (const [isNewer, unread] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const page = { success: true as const, notifications: [call(1)], next: null, unread: { ...NO_UNREAD, dmCall: 1 } }
    const { events, store } = openStore(page)
    const loading = store.lists.dmCall.load(null)
    store.remove(7)
    if (isNewer)
      events.deliver('newNotification', { ...call(2), unread: { ...NO_UNREAD, dmCall: 2 }, removedId: null }, 1)
    await loading
    expect(store.unread.peek().dmCall).toBe(unread)
  }
})

it('shows nothing of a page that comes after the viewer has signed out', async () => {
  const page = { success: true as const, notifications: [call(1)], next: null, unread: { ...NO_UNREAD, dmCall: 1 } }
  const { store } = openStore(page)
  const loading = store.lists.dmCall.load(null)
  store.clear()
  await loading
  expect([idsOf(store), store.unread.peek()]).toEqual([undefined, NO_UNREAD])
})
