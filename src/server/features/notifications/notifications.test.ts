import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Notification } from '../../../shared/notifications/notification.ts'
import { listUnreadOf } from '../../model/conversations/sides.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello, type TestClient, type TestUser } from '../../testing/fixtures/test-region.ts'
import { directMessageRoutes } from '../direct-messages/routes.ts'
import { followRoutes } from '../relations/follow-routes.ts'
import { relationRoutes } from '../relations/routes.ts'
import { notificationRoutes } from './feature.ts'

let api: TestApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }, (app, _, { appContext }) => {
    for (const register of [notificationRoutes, followRoutes, relationRoutes, directMessageRoutes])
      register(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createMember(`can${turn}`)
  deniz = await api.region.createMember(`deniz${turn}`)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const post = (actor: TestUser, path: string, body: object) => api.post(`/api${path}`, body, as(actor))
const list = (actor: TestUser, query = '?tab=mention'): Promise<ApiResponse> =>
  api.get(`/api/notifications${query}`, as(actor))
const notificationsOf = async (actor: TestUser, tab: string) =>
  (await list(actor, `?tab=${tab}`)).body.notifications as Notification[] // the route's schema
const mention = async (sender: TestClient, user: TestUser, text = 'bak') => {
  const answer = await sender.request('sendMessage', {
    roomId: 1,
    content: `@[${user.username}] ${text}`,
    clientId: randomUUID(),
  })
  expect(answer).toMatchObject({ success: true })
  return (answer as { id: number }).id
}
const directMessage = (sender: TestClient, recipient: TestUser, content: string) =>
  sender.request('sendDirectMessage', { recipientUsername: recipient.username, content, clientId: randomUUID() })
const initialOf = async (user: TestUser) => {
  const client = await api.region.connectAs(user)
  const initial = await client.waitForEvent('initialNotifications')
  client.disconnect()
  return initial as { notifications: Notification[]; unread: Record<string, number>; unreadMessages: number }
}

describe('mentions', () => {
  it('[NOTE-01] are for each mentioned user, and for nobody else', async () => {
    const sender = await api.region.connectAs(ada, 1)
    const [receiver, bystander] = [await api.region.connectAs(can), await api.region.connectAs(deniz, 1)]
    const messageId = await mention(sender, can)
    expect(await receiver.waitForEvent('newNotification')).toMatchObject({
      type: 'mention',
      senderId: ada.userId,
      senderUsername: ada.username,
      recipientId: can.userId,
      recipientUsername: can.username,
      messageSender: ada.username,
      roomId: 1,
      messageId,
      content: `@${can.username} bak`,
      read: false,
      requestId: null,
      unread: { mention: 1 },
    })
    expect(await receiver.waitForEvent('mentionNotification')).toMatchObject({ messageId })
    expect(await notificationsOf(can, 'mention')).toMatchObject([{ messageId, content: `@${can.username} bak` }])
    await mention(sender, ada)
    await bystander.request('getRooms', {})
    for (const client of [sender, bystander]) expect(client.countEvents('newNotification')).toBe(0)
    expect((await list(ada)).body.notifications).toEqual([])
  })

  it('[NOTE-02] of a blocked user are none, and a block removes earlier ones', async () => {
    const sender = await api.region.connectAs(ada, 1)
    const receiver = await api.region.connectAs(can)
    await mention(sender, can)
    await post(ada, '/follow/follow', { followerId: ada.userId, followingId: can.userId })
    await post(deniz, '/follow/follow', { followerId: deniz.userId, followingId: can.userId })
    await post(can, '/users/block', { blockedUsername: ada.username })
    expect(
      await receiver.waitForEvent('notificationsRead', ({ unread }) => (unread as { mention: number }).mention === 0),
    ).toMatchObject({
      isRemoved: true,
    })
    expect(await notificationsOf(can, 'mention')).toEqual([])
    expect(await notificationsOf(can, 'other')).toMatchObject([{ senderId: deniz.userId, senderCount: 1 }])
    await mention(sender, can)
    await receiver.request('getRooms', {})
    expect((await initialOf(can)).unread).toMatchObject({ mention: 0, other: 1 })
  })

  it('[NOTE-16] show no text of a removed message, and go with it', async () => {
    const root = await api.region.createRootAdmin(`kök${turn}`)
    const sender = await api.region.connectAs(ada, 1)
    await mention(sender, can, 'gizli')
    const admin = await api.region.connectAs(root, 1)
    await admin.request('clearRoomMessages', { roomId: 1 })
    expect(await notificationsOf(can, 'mention')).toMatchObject([{ content: '' }])
    // A newer message, so that the last one may be deleted.
    await mention(await api.region.connectAs(deniz, 1), ada)
    const receiver = await api.region.connectAs(can)
    for (const { jobs = [] } of api.region.features) for (const job of jobs) await job.run()
    expect(await receiver.waitForEvent('notificationsRead')).toMatchObject({ isRemoved: true, unread: { mention: 0 } })
    expect(await notificationsOf(can, 'mention')).toEqual([])
  })

  it('[NOTE-16] are not replayed once the message is removed', async () => {
    const sender = await api.region.connectAs(ada, 1)
    const first = api.region.openConnection()
    const { cursor } = (await sendHello(first, can)) as { cursor: number }
    first.disconnect()
    await mention(sender, can, 'gizli')
    const root = await api.region.createRootAdmin(`kök${turn}`)
    await (await api.region.connectAs(root, 1)).request('clearRoomMessages', { roomId: 1 })
    const again = api.region.openConnection()
    expect(await sendHello(again, can, { cursor })).toMatchObject({ resumed: true })
    expect(await again.waitForEvent('initialNotifications')).toMatchObject({ notifications: [{ content: '' }] })
    expect(again.countEvents('newNotification')).toBe(0)
  })
})

describe('follows', () => {
  const pairOf = (follower: TestUser, following: TestUser) => ({
    followerId: follower.userId,
    followingId: following.userId,
  })
  const makePrivate = async (user: TestUser, accountPrivacy: 'private' | 'public' = 'private') => {
    const client = await api.region.connectAs(user)
    await client.request('updatePrivacySettings', { accountPrivacy })
    client.disconnect()
  }

  it('[NOTE-03] [REL-29] request, accept, reject and withdraw: the removal goes to all devices of the asked user', async () => {
    await makePrivate(can)
    const devices = [await api.region.connectAs(can), await api.region.openConnection()] as const
    await sendHello(devices[1], can)
    const follower = await api.region.connectAs(ada)
    const ends = ['accept-follow', 'unfollow', 'reject-follow', 'block'] as const
    for (const [index, end] of ends.entries()) {
      await post(ada, '/follow/follow', { ...pairOf(ada, can), request: true })
      expect(await notificationsOf(can, 'follow')).toMatchObject([{ type: 'follow', requestId: ada.userId }])
      expect((await initialOf(can)).unread.follow).toBe(1)
      if (end === 'block') await post(can, '/users/block', { blockedUsername: ada.username })
      else await post(end === 'unfollow' ? ada : can, `/follow/${end}`, pairOf(ada, can))
      for (const device of devices) {
        await device.request('getRooms', {})
        expect(device.countEvents('removeNotification')).toBe(index + 1)
      }
      expect((await initialOf(can)).unread.follow).toBe(0)
      if (end === 'accept-follow') await post(ada, '/follow/unfollow', pairOf(ada, can))
    }
    expect(follower.countEvents('removeNotification')).toBe(0)
  })

  it('[NOTE-04] are no requests any more when the account becomes public', async () => {
    await makePrivate(can)
    for (const user of [ada, deniz]) await post(user, '/follow/follow', { ...pairOf(user, can), request: true })
    const client = await api.region.connectAs(can)
    await makePrivate(can, 'public')
    expect(await client.waitForEvent('notificationTabRead')).toMatchObject({ tab: 'follow', isRemoved: true })
    expect((await initialOf(can)).unread.follow).toBe(0)
  })

  it('[NOTE-05] tell of new followers and of accepted requests', async () => {
    await post(ada, '/follow/follow', pairOf(ada, can))
    await post(deniz, '/follow/follow', pairOf(deniz, can))
    expect(await notificationsOf(can, 'other')).toMatchObject([{ type: 'follower', senderCount: 2 }])
    await post(deniz, '/follow/unfollow', pairOf(deniz, can))
    expect(await notificationsOf(can, 'other')).toMatchObject([{ senderId: ada.userId, senderCount: 1 }])
    await makePrivate(can)
    await post(deniz, '/follow/follow', { ...pairOf(deniz, can), request: true })
    await post(can, '/follow/accept-follow', pairOf(deniz, can))
    expect(await notificationsOf(deniz, 'other')).toMatchObject([{ type: 'followAccepted', senderId: can.userId }])
  })
})

describe('reading', () => {
  it('[NOTE-11] [NOTE-12] begins with the latest 20 of each tab, and goes on page by page', async () => {
    const sender = await api.region.connectAs(ada, 1)
    const root = await api.region.createRootAdmin(`kök${turn}`)
    const admin = await api.region.connectAs(root, 1)
    for (let n = 0; n < 22; n++) await mention(admin, can, `${n}`)
    await directMessage(sender, can, 'selam')
    const initial = await initialOf(can)
    const mentions = initial.notifications.filter(({ type }) => type === 'mention')
    expect([mentions.length, initial.unread.mention, initial.unreadMessages]).toEqual([20, 22, 1])
    const first = (await list(can)).body as { notifications: Notification[]; next: string }
    expect(first.notifications).toEqual(mentions)
    expect(initial).toMatchObject({ next: { mention: first.next } })
    const rest = (await list(can, `?tab=mention&before=${first.next}`)).body as typeof first
    expect([rest.notifications.length, rest.next]).toEqual([2, null])
    const ids = [...first.notifications, ...rest.notifications].map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    for (const tab of ['starRequest', 'withdrawalRequest']) {
      expect(await list(can, `?tab=${tab}`)).toMatchObject({ status: 403 })
      expect(await list(root, `?tab=${tab}`)).toMatchObject({ status: 200 })
    }
    expect(await api.get('/api/notifications?tab=mention')).toMatchObject({ status: 401 })
    expect((await list(can)).headers.get('cache-control')).toContain('no-store')
  })

  it('[NOTE-13] [NOTE-27] marks or removes one on all devices, and none of another user', async () => {
    const sender = await api.region.connectAs(ada, 1)
    for (let n = 0; n < 2; n++) await mention(sender, can)
    await mention(sender, deniz)
    const devices = [await api.region.connectAs(can), api.region.openConnection()]
    await sendHello(devices[1] as TestClient, can)
    const [reader] = devices as [TestClient]
    expect(await reader.request('notificationRead', { notificationId: 1, remove: false })).toEqual({ success: true })
    expect(await reader.request('notificationRead', { notificationId: 2, remove: true })).toEqual({ success: true })
    for (const device of devices) {
      expect(await device.waitForEvent('notificationsRead', ({ isRemoved }) => isRemoved === false)).toMatchObject({
        notificationIds: [1],
        unread: { mention: 1 },
      })
      expect(await device.waitForEvent('notificationsRead', ({ isRemoved }) => isRemoved === true)).toMatchObject({
        notificationIds: [2],
        unread: { mention: 0 },
      })
    }
    for (const notificationId of [1, 2, 999])
      await reader.request('notificationRead', { notificationId, remove: false })
    expect(reader.countEvents('notificationsRead')).toBe(2)
    expect(await notificationsOf(can, 'mention')).toMatchObject([{ id: 1, read: true }])
    // Deniz's notification has the same id.
    expect(await notificationsOf(deniz, 'mention')).toMatchObject([{ id: 1, read: false }])
  })

  it('[NOTE-14] marks or removes a tab up to a time', async () => {
    const sender = await api.region.connectAs(ada, 1)
    await mention(sender, can)
    const [{ createdAt: upTo }] = (await notificationsOf(can, 'mention')) as [Notification]
    api.region.clockOffset.aheadMs += 60_000
    await mention(sender, can, 'sonra')
    const reader = await api.region.connectAs(can)
    const readTab = (remove: boolean) => reader.request('notificationTabRead', { tab: 'mention', upTo, remove })
    await readTab(false)
    expect((await notificationsOf(can, 'mention')).map(({ read }) => read)).toEqual([false, true])
    await readTab(true)
    expect(await notificationsOf(can, 'mention')).toMatchObject([{ read: false }])
    await readTab(true)
    expect(reader.countEvents('notificationTabRead')).toBe(2)
    const requests = { tab: 'follow' as never, upTo, remove: true }
    expect(await reader.request('notificationTabRead', requests)).toMatchObject({ code: 'InvalidInput' })
  })

  it('[NOTE-15] [NOTE-81] direct messages: one for each unread message, until it is read or hidden', async () => {
    const sender = await api.region.connectAs(ada)
    for (const text of ['bir', 'iki', 'üç']) await directMessage(sender, can, text)
    await directMessage(await api.region.connectAs(deniz), can, 'dört')
    const { notifications, unreadMessages } = await initialOf(can)
    expect([notifications.map(({ type, content }) => [type, content]), unreadMessages]).toEqual([
      [
        ['dm', 'Dört'],
        ['dm', 'Üç'],
        ['dm', 'İki'],
        ['dm', 'Bir'],
      ],
      4,
    ])
    expect(notifications[0]).toMatchObject({ senderId: deniz.userId, recipientId: can.userId, read: false })
    const reader = await api.region.connectAs(can)
    const ids = notifications.slice(2).map(({ id }) => id)
    // Others cannot read them.
    await (await api.region.connectAs(deniz)).request('notificationDMRead', { notificationIds: ids, remove: true })
    expect((await initialOf(can)).unreadMessages).toBe(4)
    await reader.request('notificationDMRead', { notificationIds: ids, remove: true })
    expect(await sender.waitForEvent('messagesRead')).toMatchObject({ readerId: can.userId, upToId: Math.max(...ids) })
    expect((await initialOf(can)).notifications.map(({ content }) => content)).toEqual(['Dört', 'Üç'])
    expect(listUnreadOf(api.region.appContext.reader, { userId: can.userId, role: 'member' }, ids)).toEqual([])
    await reader.request('markMessagesAsRead', { otherUsername: ada.username })
    await post(can, '/conversation-status/hideconversation', { targetUsername: deniz.username })
    expect(await initialOf(can)).toMatchObject({ notifications: [], unreadMessages: 0 })
  })

  it('[NOTE-20] is refused in the name of somebody else', async () => {
    const reader = await api.region.connectAs(can)
    for (const user of [ada.username, ada.userId, { id: ada.userId }])
      for (const answer of [
        await reader.request('notificationRead', { notificationId: 1, user, remove: true }),
        await reader.request('notificationDMRead', { notificationIds: [1], user, remove: true }),
      ])
        expect(answer).toMatchObject({ code: 'ActorMismatch' })
    for (const user of [can.username, can.userId, { id: can.userId, username: can.username }])
      expect(await reader.request('notificationRead', { notificationId: 1, user, remove: true })).toEqual({
        success: true,
      })
  })
})
