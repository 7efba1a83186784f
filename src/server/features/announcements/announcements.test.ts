import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../shared/accounts/protocol.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { signToken } from '../accounts/tokens/tokens.ts'
import { banUser } from '../moderation/ban-user.ts'
import { clearRoomMessages } from '../moderation/clear-room-messages.ts'
import { announcementRoutes } from './routes.ts'
import { sendPopup } from './send-popup.ts'

let api: TestApi
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_OWNER: 'Meydan A.Ş.' }, (app, _, site) => announcementRoutes(app, site.appContext))
})
afterEach(() => api.close())

const site = () => api.region

async function adminToken({ userId, sessionId }: TestUser): Promise<string> {
  const { keys, clock } = site().appContext
  return signToken(keys, 'adminToken', { userId, sessionId }, clock())
}

function runSql(sql: string): void {
  const db = openForWriting(site().appContext.config.databaseFile)
  db.exec(sql)
  db.close()
}

async function sendMessage(user: TestUser, roomId: number, content: string): Promise<void> {
  const client = await site().connectAs(user, roomId)
  site().clockOffset.aheadMs += 11_000
  expect(await client.request('sendMessage', { roomId, content })).toMatchObject({ success: true })
}

describe('popups', () => {
  it('[SHELL-12] reach everyone, or only the users of the given room', async () => {
    const root = await site().createRootAdmin('kök')
    const [inRoom1, inRoom2] = [
      await site().connectAs(await site().createGuest('ada'), 1),
      await site().connectAs(await site().createGuest('can'), 2),
    ]
    const authorization = `Bearer ${await adminToken(root)}`
    const sent = await api.post('/api/root-admin/send-popup', { message: '<b>Herkese</b>' }, { authorization })
    expect(sent.body).toEqual({ success: true })
    const sender = { senderId: root.userId, senderUsername: 'kök', senderAvatarUrl: null, senderGender: null }
    const popup = { message: '<b>Herkese</b>', ...sender, imagePath: null }
    expect(await inRoom1.waitForEvent('popupNotification')).toEqual(popup)
    expect(await inRoom2.waitForEvent('popupNotification')).toEqual(popup)

    const more = { message: 'Odaya', roomId: 2, imagePath: '/drawings/quiet.svg' }
    await api.post('/api/root-admin/send-popup', more, { authorization })
    expect(await inRoom2.waitForEvent('popupNotification', ({ roomId }) => roomId === 2)).toMatchObject({
      message: 'Odaya',
      imagePath: '/drawings/quiet.svg',
    })
    await api.post('/api/root-admin/send-popup', { message: 'Son' }, { authorization })
    await inRoom1.waitForEvent('popupNotification', ({ message }) => message === 'Son')
    expect(inRoom1.countEvents('popupNotification')).toBe(2)
  })

  it('[SHELL-12] are refused without the admin token of a root admin', async () => {
    const member = await site().createGuest('ada')
    const listener = await site().connectAs(await site().createGuest('can'), 1)
    const root = await site().createRootAdmin('kök')
    const send = (token: string | null, body: object = { message: 'x' }) =>
      api.post('/api/root-admin/send-popup', body, token === null ? {} : { authorization: `Bearer ${token}` })
    expect((await send(null)).status).toBe(401)
    expect((await send(member.token)).status).toBe(403)
    expect((await send(root.token)).status).toBe(403)
    expect((await send(await adminToken(member))).status).toBe(403)
    expect((await send(await adminToken(root), { message: 'x', roomId: 99 })).status).toBe(404)
    const { actorId: _, ...actor } = { ...member, role: 'guest' as const, actorId: 0 }
    const asGuest = await site().appContext.execute(sendPopup, actor, { message: 'x', imagePath: null, roomId: null })
    expect(asGuest).toMatchObject({ body: { code: 'Forbidden' } })
    await sendMessage(member, 1, 'bitti')
    await listener.waitForEvent('message')
    expect(listener.countEvents('popupNotification')).toBe(0)
  })

  it.each([
    ['<script>alert(1)</script>merhaba', 'merhaba'],
    ['<img src=x onerror=alert(1)>merhaba', 'merhaba'],
    ['<b onclick="alert(1)" style="position:fixed">kalın</b>', '<b>kalın</b>'],
    ['<a href="javascript:alert(1)">bağ</a>', '<a>bağ</a>'],
    ['<a href="https://ornek.com" onmouseover=x>bağ</a>', '<a href="https://ornek.com">bağ</a>'],
    ['<svg><script>alert(1)</script></svg><p>söz', '<p>söz</p>'],
    ['<iframe src="//kötü"></iframe><style>*{}</style>a', 'a'],
    ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">x', 'x'],
  ])('[SHELL-13] are sanitised: %j becomes %j', async (message, sanitised) => {
    const listener = await site().connectAs(await site().createGuest('ada'), 1)
    const authorization = `Bearer ${await adminToken(await site().createRootAdmin('kök'))}`
    await api.post('/api/root-admin/send-popup', { message }, { authorization })
    expect((await listener.waitForEvent('popupNotification')).message).toBe(sanitised)
  })

  it.each([
    { message: '  ' },
    { message: '<script>x</script>' },
    { message: 'x', imagePath: 'https://ornek.com/a.png' },
    { message: 'x', imagePath: '//ornek.com/a.png' },
    { message: 'x', imagePath: '/uploads/../api/users' },
    { message: 'x'.repeat(4_001) },
  ])('[SHELL-13] with the body %j are refused', async (body) => {
    const authorization = `Bearer ${await adminToken(await site().createRootAdmin('kök'))}`
    expect((await api.post('/api/root-admin/send-popup', body, { authorization })).status).toBe(422)
  })
})

describe('getStatus', () => {
  it('[SHELL-15] counts the site’s users by gender and device, and names its owner', async () => {
    const signIn = async (username: string, gender: string, lastLoginPlatform: string) => {
      const { body } = await api.post(`/api${routes.guestLogin.path}`, { username, gender, lastLoginPlatform })
      const { id } = body.user as { id: number }
      return site().connectAs({ userId: id, sessionId: 0, username, token: String(body.token) }, 1)
    }
    const ada = await signIn('ada', 'female', 'web')
    await signIn('can', 'male', 'mobile')
    await signIn('ece', 'female', 'mobile')
    await site().connectAs(await site().createGuest('öteki'), 2)
    await ada.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'ece')
    await ada.waitForEvent('activeUsersCount', ({ count }) => count === 4)
    expect(await ada.request('getStatus', {})).toEqual({
      activeUsers: 4,
      male: 1,
      female: 2,
      desktop: 2,
      mobile: 2,
      owner: 'Meydan A.Ş.',
    })
  })

  it('[SHELL-16] counts the connection’s own room and refuses other rooms', async () => {
    const ada = await site().connectAs(await site().createGuest('ada'), 1)
    await site().connectAs(await site().createGuest('can'), 2)
    await ada.waitForEvent('users-in-room')
    expect(await ada.request('getStatus', { roomId: 1 })).toMatchObject({ activeUsers: 1, desktop: 1 })
    expect(await ada.request('getStatus', { roomId: 2 })).toMatchObject({ code: 'NotInRoom' })
    expect(await ada.request('getStatus', { roomId: 99 })).toMatchObject({ code: 'NotInRoom' })
  })
})

describe('watchRooms', () => {
  it('[ROOM-20] [ROOM-21] sends watchers the id of a new message without its content, and others nothing', async () => {
    const [ada, can] = [await site().createGuest('ada'), await site().createGuest('can')]
    const watcher = await site().connectAs(await site().createGuest('bakan'), 1)
    const bystander = await site().connectAs(await site().createGuest('duran'), 1)
    expect(await watcher.request('watchRooms', { roomIds: [2, 3, 99] })).toEqual({
      rooms: [
        { roomId: 2, messageId: 0 },
        { roomId: 3, messageId: 0 },
      ],
    })
    await sendMessage(ada, 2, 'gizli söz')
    expect(await watcher.waitForEvent('roomActivity')).toEqual({ roomId: 2, messageId: 1 })
    expect(watcher.countEvents('message')).toBe(0)
    expect(bystander.countEvents('roomActivity')).toBe(0)

    expect(await watcher.request('watchRooms', { roomIds: [3] })).toEqual({ rooms: [{ roomId: 3, messageId: 0 }] })
    await sendMessage(can, 2, 'bir daha')
    await sendMessage(ada, 3, 'burada')
    expect(await watcher.waitForEvent('roomActivity', ({ roomId }) => roomId === 3)).toEqual({
      roomId: 3,
      messageId: 3,
    })
    expect(watcher.countEvents('roomActivity')).toBe(2)
    expect(await watcher.request('watchRooms', { roomIds: [2] })).toEqual({ rooms: [{ roomId: 2, messageId: 2 }] })
  })

  it('[ROOM-23] reports the last remaining message after a removal', async () => {
    const kaba = await site().createGuest('kaba')
    const root = await site().createRootAdmin('kök')
    const watcher = await site().connectAs(await site().createGuest('bakan'), 1)
    await sendMessage(await site().createGuest('ada'), 2, 'kalır')
    await sendMessage(kaba, 2, 'gider')
    const getLastMessage = async () => {
      const answer = await watcher.request('watchRooms', { roomIds: [2] })
      return 'rooms' in answer && answer.rooms
    }
    expect(await getLastMessage()).toEqual([{ roomId: 2, messageId: 2 }])
    await site().appContext.execute(banUser, root, { username: 'kaba', duration: '10min', banReason: 'Diğer' })
    await watcher.waitForEvent('roomActivity', ({ messageId }) => messageId === 1)
    expect(await getLastMessage()).toEqual([{ roomId: 2, messageId: 1 }])
    await site().appContext.execute(clearRoomMessages, root, { roomId: 2 })
    await watcher.waitForEvent('roomActivity', ({ messageId }) => messageId === 0)
    expect(await getLastMessage()).toEqual([{ roomId: 2, messageId: 0 }])
  })

  it('[ROOM-21] skips messages with an audience', async () => {
    await sendMessage(await site().createGuest('ada'), 2, 'herkese')
    runSql(
      "insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt) select roomId, senderId, 'x', 1, 'actor', 'c' || id, createdAt from message",
    )
    const watcher = await site().connectAs(await site().createGuest('bakan'), 1)
    expect(await watcher.request('watchRooms', { roomIds: [2] })).toEqual({ rooms: [{ roomId: 2, messageId: 1 }] })
  })
})
