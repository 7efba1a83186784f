import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONVERSATIONS_PER_PAGE, MAX_NEW_CONVERSATIONS } from '../../../shared/direct-messages/limits.ts'
import type { ConversationEntry, DirectMessage, RecipientInfo } from '../../../shared/direct-messages/message.ts'
import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { authorized, send, sent } from '../../testing/fixtures/direct-messages.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { sweepAccounts } from '../accounts/users/sweep-accounts.ts'
import { followRoutes } from '../relations/follow-routes.ts'
import { directMessageRoutes } from './routes.ts'

let api: TestApi
let ada: TestUser
let can: TestUser
let clients: Record<'ada' | 'can', TestClient>
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    followRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  clients = { ada: await region.connectAs(ada), can: await region.connectAs(can) }
})

const fetchConversation = async (user: TestUser, other: TestUser) => {
  const { body } = await api.get(`/api/dm/${user.username}/${other.username}`, authorized(user))
  return body as unknown as { messages: DirectMessage[]; more: boolean; recipientInfo: RecipientInfo }
}
const fetchList = async (user: TestUser) => {
  const { body } = await api.get('/api/dm/userconversations', authorized(user))
  return body as unknown as { conversations: ConversationEntry[]; unreadCount: number; next: number | null }
}
const remove = (user: TestUser, other: TestUser) =>
  api.post('/api/dm/delete', { targetUsername: other.username }, authorized(user))

function changeRows(sql: string, ...values: (number | string)[]): number {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const { lastInsertRowid } = db.prepare(sql).run(...values)
  db.close()
  return Number(lastInsertRowid)
}

describe('pages', () => {
  it('[DM-02] [DM-13] end with the last full one, and are asked for on one side only', async () => {
    for (let index = 1; index <= MESSAGES_PER_PAGE; index++) await sent(clients.ada, can, `M${index}`)
    expect((await fetchConversation(can, ada)).more).toBe(false)
    await sent(clients.ada, can, 'bir daha')
    expect((await fetchConversation(can, ada)).more).toBe(true)
    expect(await clients.can.request('getDirectMessages', { userId: ada.userId, before: 9, after: 1 })).toMatchObject({
      code: 'InvalidInput',
    })
    for (let index = 1; index < CONVERSATIONS_PER_PAGE; index++)
      await sent(await api.region.connectAs(await api.region.createGuest(`dolu${turn}x${index}`)), can, 'selam')
    const list = await fetchList(can)
    expect([list.conversations.length, list.next]).toEqual([CONVERSATIONS_PER_PAGE, null])
  })

  it('[DM-09] [DM-12] count nothing that one device has deleted and another one marks as read', async () => {
    const first = await sent(clients.ada, can, 'bir')
    await sent(clients.ada, can, 'iki')
    await remove(can, ada)
    const input = { otherUsername: ada.username, upToId: first.id }
    expect(await clients.can.request('markMessagesAsRead', input)).toEqual({ success: true })
    expect((await fetchList(can)).unreadCount).toBe(0)
    await sent(clients.ada, can, 'üç')
    expect((await fetchList(can)).unreadCount).toBe(1)
    expect(clients.ada.countEvents('messagesRead')).toBe(0)
  })

  it('[DM-12] have nothing that the user has deleted: no message, quote, unread count or report', async () => {
    const first = await sent(clients.ada, can, 'eski')
    await remove(can, ada)
    expect((await fetchList(can)).unreadCount).toBe(0)
    expect(await clients.can.request('getDirectMessages', { userId: ada.userId, after: first.id - 1 })).toMatchObject({
      messages: [],
    })
    const answer = await sent(clients.ada, can, 'yeni', { replyTo: { id: first.id } })
    expect((await fetchConversation(can, ada)).messages).toMatchObject([{ id: answer.id, replyTo: { content: null } }])
    expect((await fetchConversation(ada, can)).messages[0]).toMatchObject({ replyTo: { content: 'Eski' } })
    const report = (messageId: number) =>
      api.post(
        '/api/dm/report',
        { messageId, senderUsername: ada.username, recipientUsername: can.username },
        authorized(can),
      )
    expect((await report(first.id)).status).toBe(404)
    expect((await report(answer.id)).status).toBe(200)
    const db = openForWriting(api.region.appContext.config.databaseFile)
    const kept = db
      .prepare(
        "select content from reportContent join report on id = reportId where kind = 'directMessage' and subjectId = ?",
      )
      .pluck()
      .get(answer.id)
    db.close()
    expect(String(kept)).not.toContain('Eski')
  })
})

describe('reading and quoting', () => {
  it('[DM-09] counts and marks messages of the other user only', async () => {
    const received = await sent(clients.ada, can, 'bir')
    const own = await sent(clients.can, ada, 'cevap')
    await sent(clients.ada, can, 'iki')
    await sent(clients.can, ada, 'cevap iki')
    await clients.can.request('markMessagesAsRead', { otherUsername: ada.username, upToId: own.id })
    expect(await clients.ada.waitForEvent('messagesRead')).toMatchObject({ upToId: received.id })
    expect((await fetchList(can)).unreadCount).toBe(1)
    expect((await fetchConversation(ada, can)).messages.map(({ read }) => read)).toEqual([false, false, false, true])
  })

  it('[DM-08] never quotes a message that is written after the answer', async () => {
    const first = await sent(clients.ada, can, 'soru')
    const answer = await sent(clients.can, ada, 'cevap', { replyTo: { id: first.id + 2 } })
    await sent(clients.ada, can, 'sonra')
    const { messages } = await fetchConversation(can, ada)
    expect(messages.find(({ id }) => id === answer.id)).toMatchObject({ replyTo: { content: null } })
  })

  it('[DM-02] shows who follows whom', async () => {
    await api.post('/api/follow/follow', { followerId: ada.userId, followingId: can.userId }, authorized(ada))
    const info = async (user: TestUser, other: TestUser) => (await fetchConversation(user, other)).recipientInfo
    expect(await info(ada, can)).toMatchObject({ isFollowing: true, isFollowedBy: false })
    expect(await info(can, ada)).toMatchObject({ isFollowing: false, isFollowedBy: true })
  })

  it('[PREM-08] shows whether the other user is premium', async () => {
    const info = async () => (await fetchConversation(ada, can)).recipientInfo
    expect(await info()).toMatchObject({ premiumStatus: 'guest' })
    const db = openForWriting(api.region.appContext.config.databaseFile, 'unchecked')
    db.prepare('update user set premiumUntil = 9e15 where id = ?').run(can.userId)
    db.close()
    expect(await info()).toMatchObject({ premiumStatus: 'premium' })
  })
})

describe('guests', () => {
  it('[DM-14] have no avatar, in whatever shows them', async () => {
    const guest = await api.region.createGuest(`konuk${turn}`)
    const guestClient = await api.region.connectAs(guest)
    changeRows("update user set avatarUrl = '/uploads/x.webp' where id = ?", guest.userId)
    expect(await sent(guestClient, ada, 'selam')).toMatchObject({ senderAvatarUrl: null })
    await sent(clients.ada, guest, 'selam')
    const event = await clients.ada.waitForEvent('directMessage', ({ senderId }) => senderId === ada.userId)
    expect(event.recipientInfo).toMatchObject({ avatarUrl: null })
    expect((await fetchList(ada)).conversations[0]).toMatchObject({ avatarUrl: null, isGuest: true })
    expect((await fetchConversation(ada, guest)).recipientInfo).toMatchObject({ avatarUrl: null })
  })

  it('[DM-14] who have left get no message, by their id either', async () => {
    const guest = await api.region.createGuest(`giden${turn}`)
    changeRows('update user set lastSeenAt = 0 where id = ?', guest.userId)
    await api.region.appContext.execute(sweepAccounts, null, {})
    expect(await send(clients.ada, guest, 'selam', { recipientId: guest.userId })).toMatchObject({ code: 'NotFound' })
  })
})

describe('sending', () => {
  const createImage = ({ userId }: TestUser) =>
    changeRows(
      `insert into directMedia (ownerId, mediaType, originalPath, sizeBytes, createdAt)
       values (?, 'image', ?, 1, 0)`,
      userId,
      `${crypto.randomUUID()}.webp`,
    )

  it('[DM-04] takes a file of the sender, by the setting of its kind, and no other', async () => {
    const mediaId = createImage(ada)
    expect(await send(clients.ada, can, '', { mediaId: createImage(can) })).toMatchObject({ code: 'MediaNotFound' })
    await clients.can.request('updatePrivacySettings', { messageImagePrivacy: 'nobody' })
    expect(await send(clients.ada, can, '', { mediaId })).toMatchObject({
      message: 'Bu kişi hiçkimseden resim veya video almak istemiyor.',
    })
    await clients.can.request('updatePrivacySettings', { messageImagePrivacy: 'everyone' })
    expect(await sent(clients.ada, can, '', { mediaId })).toMatchObject({ content: '', media: { mediaId } })
  })

  it('[DM-15] lets root admins write to any number of new users', async () => {
    const client = await api.region.connectAs(await api.region.createRootAdmin(`kök${turn}`))
    for (let index = 0; index <= MAX_NEW_CONVERSATIONS; index++)
      await sent(client, await api.region.createGuest(`duyan${turn}x${index}`), 'selam')
  })

  it('[DM-18] shows the pictures of nobody else when one allows them', async () => {
    await sent(clients.ada, can, 'selam')
    await clients.ada.request('allowDirectMedia', { userId: can.userId })
    await clients.can.request('dmSessionStart', { recipientUsername: ada.username })
    expect(await clients.can.waitForEvent('dmSessionStarted')).toMatchObject({ showsMedia: false })
  })
})
