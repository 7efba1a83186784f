import { beforeEach, describe, expect, it } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { GUESTS_CANNOT_WRITE_TEXT } from '../../../shared/disk-space/texts.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createMessage, createRoomPage, RoomHarness } from './testing/room-harness.ts'

const JUST_JOINED = 'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.'
const TOO_MANY = 'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.'
const MAY_SEND_AGAIN = 'Artık mesaj gönderebilirsiniz.'

let environment: FakeEnvironment
let client: RoomHarness
let lastId: number
let lastSeq: number

beforeEach(() => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  lastId = 1000
  lastSeq = 200
})

/** Somebody else says something. */
function hear(id: number, seq = ++lastSeq): void {
  environment.transport.receive([Kind.event, seq, 'message', createMessage(id, { createdAt: environment.now() })])
}

async function answer(): Promise<void> {
  environment.transport.answer('sendMessage', { success: true, id: ++lastId, createdAt: environment.now() })
  await flushPromises()
}

async function sayAnswered(text: string): Promise<void> {
  expect(client.conversation.send(text)).toBeNull()
  await answer()
}

const notice = () => client.conversation.limits.value?.notice.shown.value ?? null

describe('removed messages', () => {
  it('[MOD-11] are all messages before a clearing of the room, and none after it', async () => {
    await client.openRoom(createRoomPage({ messages: [createMessage(1)] }))
    hear(2)
    environment.transport.receive([Kind.event, ++lastSeq, 'clearMessages', { roomId: 2 }])
    expect(client.shownTexts()).toEqual(['Mesaj 1', 'Mesaj 2'])
    environment.transport.receive([Kind.event, ++lastSeq, 'clearMessages', { roomId: 1 }])
    hear(3)
    expect(client.shownTexts()).toEqual(['Mesaj 3'])
  })

  it('[MOD-10] are those of a banned user, in quotes too', async () => {
    const { senderId } = createMessage(1)
    // Somebody may have had the name before.
    const [bad, namesake] = [senderId, 77].map((id) => ({ content: 'Söz', senderId: id, senderUsername: 'can' }))
    const others = { senderId: 9, senderUsername: 'lale' }
    const [toBad, toNamesake] = [bad, namesake].map((of, index) => ({ id: 100 + index, ...Object(of) }))
    const answers = [
      createMessage(2, { ...others, replyTo: toBad }),
      createMessage(3, { ...others, replyTo: toNamesake }),
    ]
    await client.openRoom(createRoomPage({ messages: [createMessage(1), ...answers] }))
    const removal = { roomId: 1, userId: senderId, username: 'can' }
    environment.transport.receive([Kind.event, ++lastSeq, 'removeBannedMessages', removal])
    expect(client.conversation.bubbles.value.map(({ content, replyTo }) => [content, replyTo?.content])).toEqual([
      ['Mesaj 2', null],
      ['Mesaj 3', 'Söz'],
    ])
  })

  it('[MOD-11] [MOD-12] stay removed on a page that was rendered after the removal', async () => {
    client.roomSubscription.openPage(createRoomPage({ messages: [createMessage(5)], cursor: 180 }))
    await client.answerHello()
    await client.answerJoin({ cursor: 180, missed: [] })
    environment.transport.receive([Kind.event, 170, 'clearMessages', { roomId: 1 }])
    expect(client.shownTexts()).toEqual(['Mesaj 5'])
  })
})

describe('a changed user', () => {
  const quote = { id: 1, content: 'Mesaj 1', senderId: 2, senderUsername: 'can' }
  const shown = () =>
    client.conversation.bubbles.value.map(({ sender, replyTo }) => [
      sender.username,
      sender.gender,
      replyTo?.senderUsername,
    ])
  const renamed = { ...createPerson(2, 'canan'), gender: 'female' as const }

  beforeEach(() =>
    client.openRoom(
      createRoomPage({
        messages: [createMessage(1), createMessage(2, { senderId: 9, senderUsername: 'lale', replyTo: quote })],
      }),
    ),
  )

  it.each([
    ['userProfileUpdated', { user: renamed }],
    ['user-joined', { roomId: 1, user: renamed }],
    ['users-in-room', { roomId: 1, users: [renamed], total: 1 }],
  ])('[CHAT-41] changes in messages and quotes, by %s', (name, payload) => {
    environment.transport.receive([Kind.ephemeral, name, payload])
    expect(shown()).toEqual([
      ['canan', 'female', undefined],
      ['lale', null, 'canan'],
    ])
  })

  it('[ACC-41] changes in pending messages, if it is the own user', async () => {
    const own = client.conversation.viewerName.value
    const viewer = createRoomPage({}).viewer
    client.conversation.send('merhaba')
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: { ...viewer, username: 'gonca' } }])
    expect([own, client.conversation.viewerName.value]).toEqual([viewer.username, 'gonca'])
    expect(client.conversation.bubbles.value.at(-1)?.sender.username).toBe('gonca')
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: renamed }])
    expect(client.conversation.viewerName.value).toBe('gonca')
  })

  it('[CHAT-41] changes no message of others, and re-renders nothing without a difference', () => {
    const before = client.conversation.bubbles.value
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: createPerson(9, 'lale') }])
    environment.transport.receive([Kind.ephemeral, 'user-joined', { roomId: 2, user: renamed }])
    expect(client.conversation.bubbles.value).toBe(before)
  })
})

describe('the message list', () => {
  it("shows the page's messages, marks own ones, and adds missed ones", async () => {
    const messages = [createMessage(1), createMessage(2, { senderId: ADA.id, senderUsername: 'ada' })]
    client.roomSubscription.openPage(createRoomPage({ messages }))
    expect(client.shownTexts()).toEqual(['Mesaj 1', 'Mesaj 2'])
    expect(client.conversation.bubbles.value.map(({ isOwn }) => isOwn)).toEqual([false, true])
    await client.answerHello()
    await client.answerJoin({ cursor: 160, missed: [[Kind.event, 150, 'message', createMessage(3)]] })
    environment.transport.receive([Kind.event, 170, 'message', createMessage(4)])
    expect(client.shownTexts()).toEqual(['Mesaj 1', 'Mesaj 2', 'Mesaj 3', 'Mesaj 4'])
  })

  it('[CHAT-01] keeps the latest 40, sorted by time and id, each once, for any order of arrival', async () => {
    await client.openRoom()
    for (let id = 50; id > 0; id--) {
      environment.transport.receive([
        Kind.event,
        300 - id,
        'message',
        createMessage(id, { createdAt: Math.floor(id / 3) }),
      ])
      environment.transport.receive([Kind.event, 300 - id, 'message', createMessage(id)])
    }
    expect(client.conversation.bubbles.value.map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 11),
    )
  })

  it('keeps messages of other users with a known clientId apart, also with an own one', async () => {
    await client.openRoom()
    await sayAnswered('Benim')
    const [own] = client.conversation.bubbles.value
    for (const id of [2000, 2001]) {
      const copied = createMessage(id, { clientId: own?.key ?? '' })
      environment.transport.receive([Kind.event, ++lastSeq, 'message', copied])
    }
    const keys = client.conversation.bubbles.value.map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
  })

  it('ignores events that the page covers, and events of other rooms', async () => {
    await client.openRoom()
    hear(1, 100)
    environment.transport.receive([Kind.event, 101, 'message', createMessage(2, { roomId: 2 })])
    environment.transport.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 2, messages: [createMessage(3)] }])
    expect(client.shownTexts()).toEqual([])
  })

  it('[ROOM-08] is loaded again when the log does not cover the gap, and keeps newer and unsent messages', async () => {
    await client.openRoom(createRoomPage({ messages: [createMessage(1)] }))
    hear(2)
    environment.transport.drop()
    client.conversation.send('buradayım')
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 900 })
    expect(environment.transport.request('joinRoom').input).toEqual({ roomId: 1 })
    const { id } = environment.transport.request('joinRoom')
    environment.transport.receive(
      [Kind.answer, id, { room: createRoomPage().room, cursor: 900, exempt: false, inRoomForMs: 60_000 }],
      [Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [createMessage(8), createMessage(9)] }],
      [Kind.event, 901, 'message', createMessage(10)],
    )
    await flushPromises()
    expect(client.shownTexts()).toEqual(['Mesaj 8', 'Mesaj 9', 'Mesaj 10', 'Buradayım…'])
    expect(environment.transport.count('sendMessage')).toBe(1)
  })

  it('is loaded again on a resync', async () => {
    await client.openRoom(createRoomPage({ messages: [createMessage(1)] }))
    environment.transport.receive([Kind.ephemeral, 'resync', {}])
    await client.answerJoin({ cursor: 300 })
    environment.transport.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [createMessage(9)] }])
    expect(client.shownTexts()).toEqual(['Mesaj 9'])
  })

  it('[LIVE-18] ignores events that the answer to joinRoom covers', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ cursor: 300, missed: [] })
    hear(1, 300)
    hear(2, 301)
    expect(client.shownTexts()).toEqual(['Mesaj 2'])
  })

  it('moves to another room on the same connection', async () => {
    await client.openRoom(createRoomPage({ messages: [createMessage(1)] }))
    client.roomSubscription.openPage(
      createRoomPage({ roomId: 2, cursor: 300, messages: [createMessage(5, { roomId: 2 })] }),
    )
    expect(client.shownTexts()).toEqual(['Mesaj 5'])
    expect(environment.transport.request('joinRoom').input).toEqual({ roomId: 2, cursor: 300 })
    await client.answerJoin({ cursor: 310, missed: [] })
    hear(6)
    expect(client.shownTexts()).toEqual(['Mesaj 5'])
  })

  it('keeps newer messages when the same room is shown again', async () => {
    await client.openRoom(createRoomPage({ messages: [createMessage(1)] }))
    hear(3)
    client.roomSubscription.openPage(createRoomPage({ messages: [createMessage(1), createMessage(2)] }))
    expect(client.shownTexts()).toEqual(['Mesaj 1', 'Mesaj 2', 'Mesaj 3'])
    expect(environment.transport.count('joinRoom')).toBe(1)
  })
})

describe('sending a message', () => {
  beforeEach(() => client.openRoom())

  it('[CHAT-16] shows it at once, normalised, and keeps its position when it is confirmed', async () => {
    expect(client.conversation.send('  istanbul :)')).toBeNull()
    expect(client.shownTexts()).toEqual(['İstanbul 🙂…'])
    const [{ key = '' } = {}] = client.conversation.bubbles.value
    await answer()
    expect(client.shownTexts()).toEqual(['İstanbul 🙂'])
    const message = createMessage(1001, {
      content: 'İstanbul 🙂',
      createdAt: environment.now(),
      senderId: ADA.id,
      clientId: key,
    })
    environment.transport.receive([Kind.event, 201, 'message', message])
    expect(client.conversation.bubbles.value).toMatchObject([{ key, id: 1001, isOwn: true, status: 'sent' }])
  })

  it('confirms it also when the event comes before the answer', async () => {
    client.conversation.send('selam')
    const { clientId } = environment.transport.request('sendMessage').input
    const message = createMessage(1, { content: 'Selam', senderId: ADA.id, clientId: clientId as string })
    environment.transport.receive([Kind.event, 201, 'message', message])
    expect(client.shownTexts()).toEqual(['Selam'])
    await answer()
    expect(client.conversation.bubbles.value).toMatchObject([{ id: 1, status: 'sent' }])
  })

  it('[CHAT-02] accepts text without visible characters, and sends nothing', () => {
    expect(client.conversation.send(' \u200B ')).toBeNull()
    expect(client.shownTexts()).toEqual([])
    expect(environment.transport.count('sendMessage')).toBe(0)
  })

  it('[CHAT-15] leaves too long text in the composer', () => {
    expect(client.conversation.send('x'.repeat(2001))?.body.code).toBe('TooLarge')
    expect(client.conversation.send('x'.repeat(2000))).toBeNull()
  })

  it('replaces half a surrogate pair, which no frame can carry', () => {
    client.conversation.send('a\uD800')
    expect(environment.transport.request('sendMessage').input.content).toBe('A\uFFFD')
  })

  it('shows pending messages below newer messages of others', async () => {
    client.conversation.send('bir')
    await environment.advance(1_000)
    hear(1)
    expect(client.shownTexts()).toEqual(['Mesaj 1', 'Bir…'])
  })

  it('[CHAT-16] shows why it failed, and retries or discards it', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', { code: 'Failed', message: 'Beklenmeyen bir hata oluştu.' })
    await flushPromises()
    expect(client.conversation.bubbles.value).toMatchObject([
      { status: 'failed', failure: 'Beklenmeyen bir hata oluştu.' },
    ])
    const [{ key = '' } = {}] = client.conversation.bubbles.value
    client.conversation.retry(key)
    expect(client.shownTexts()).toEqual(['Bir…'])
    environment.transport.refuse('sendMessage', { code: 'Failed', message: 'Olmadı.' })
    await flushPromises()
    await environment.advance(1_000)
    hear(1)
    expect(client.shownTexts()).toEqual(['Bir!', 'Mesaj 1'])
    client.conversation.discard(key)
    expect(client.shownTexts()).toEqual(['Mesaj 1'])
  })

  it('[CHAT-17] shows it without a connection, and sends it once after the reconnect', async () => {
    environment.transport.drop()
    client.conversation.send('bir')
    client.conversation.send('iki')
    expect(client.shownTexts()).toEqual(['Bir…', 'İki…'])
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    expect(environment.transport.count('joinRoom')).toBe(0)
    await answer()
    await answer()
    expect(environment.transport.count('sendMessage')).toBe(2)
    expect(client.shownTexts()).toEqual(['Bir', 'İki'])
  })

  it('[CHAT-17] sends it to its own room when the user returns there', async () => {
    environment.transport.drop()
    client.conversation.send('bir')
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    expect(client.shownTexts()).toEqual([])
    await environment.advance(6_000)
    await client.answerHello()
    await client.answerJoin({ cursor: 300, missed: [] })
    expect(environment.transport.count('sendMessage')).toBe(0)
    client.roomSubscription.openPage(createRoomPage({ cursor: 310 }))
    expect(client.shownTexts()).toEqual(['Bir…'])
    await client.answerJoin({ cursor: 310, missed: [] })
    expect(environment.transport.request('sendMessage').input).toMatchObject({ roomId: 1, content: 'Bir' })
  })
})

describe('the chat limits, predicted', () => {
  it('[CHAT-05] hold a message within 10 seconds of joining, count down, and announce the end', async () => {
    client.roomSubscription.openPage(createRoomPage())
    expect(client.conversation.send('erken')?.body).toMatchObject({ code: 'JustJoined', message: JUST_JOINED })
    await client.answerHello()
    await client.answerJoin({ missed: [], inRoomForMs: 0 })
    await environment.advance(4_000)
    expect(client.conversation.send('erken')?.body.waitMs).toBe(6_000)
    expect(notice()).toEqual({ kind: 'warning', text: JUST_JOINED, endsAt: environment.now() + 6_000 })
    expect(client.shownTexts()).toEqual([])
    await environment.advance(6_000)
    expect(notice()).toEqual({ kind: 'info', text: MAY_SEND_AGAIN, endsAt: null })
    expect(client.conversation.send('şimdi')).toBeNull()
    await environment.advance(4_000)
    expect(notice()).toBeNull()
  })

  it('[CHAT-05] count the time in the room that the server knows, so that a reload starts no new wait', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ missed: [], inRoomForMs: 9_000 })
    await environment.advance(1_000)
    expect(client.conversation.send('hemen')).toBeNull()
  })

  it("[CHAT-05] take the server's remaining wait as soon as it is known", async () => {
    client.roomSubscription.openPage(createRoomPage())
    client.conversation.send('erken')
    await client.answerHello()
    await client.answerJoin({ missed: [], inRoomForMs: 7_000 })
    expect(notice()).toMatchObject({ text: JUST_JOINED, endsAt: environment.now() + 3_000 })
    environment.transport.drop()
    await environment.advance(6_000)
    client.conversation.send('çok erken')
    await client.answerHello()
    await client.answerJoin({ inRoomForMs: 60_000 })
    expect(notice()?.text).toBe(MAY_SEND_AGAIN)
  })

  it('[CHAT-06] [CHAT-09] hold the fifth message in a row for 30 seconds', async () => {
    await client.openRoom()
    for (const text of ['bir', 'iki', 'üç', 'dört']) await sayAnswered(text)
    await environment.advance(10_000)
    expect(client.conversation.send('beş')?.body).toMatchObject({
      code: 'TooManyInARow',
      message: TOO_MANY,
      waitMs: 20_000,
    })
    expect(client.shownTexts()).toHaveLength(4)
    await environment.advance(20_000)
    expect(notice()).toMatchObject({ kind: 'info', text: MAY_SEND_AGAIN })
    expect(client.conversation.send('beş')).toBeNull()
  })

  it("[CHAT-07] end the wait when another user's message comes", async () => {
    await client.openRoom()
    for (const text of ['bir', 'iki', 'üç', 'dört']) await sayAnswered(text)
    client.conversation.send('beş')
    hear(++lastId)
    expect(notice()).toMatchObject({ kind: 'info', text: MAY_SEND_AGAIN })
    expect(client.conversation.send('beş')).toBeNull()
  })

  it('[CHAT-06] count pending messages and those of the page, but no failed ones', async () => {
    const own = (id: number) => createMessage(id, { senderId: ADA.id })
    await client.openRoom(createRoomPage({ messages: [own(1), createMessage(2), own(3), own(4)] }))
    client.conversation.send('üç')
    environment.transport.refuse('sendMessage', { code: 'Failed', message: 'Olmadı.' })
    await flushPromises()
    environment.transport.drop()
    expect(client.conversation.send('üç')).toBeNull()
    expect(client.conversation.send('dört')).toBeNull()
    expect(client.conversation.send('beş')?.body.code).toBe('TooManyInARow')
    const failed = client.conversation.bubbles.value.find(({ status }) => status === 'failed')
    client.conversation.retry(failed?.key ?? '')
    expect(client.shownTexts()).toContain('Üç!')
  })

  it.each([
    ['a root admin', createRoomPage({ viewer: { ...ADA, role: 'rootadmin' } })],
    ["the room's owner", createRoomPage({ room: { ...createRoomPage().room, ownerId: ADA.id } })],
  ])('[CHAT-08] does not hold %s, from the first moment', (_, page) => {
    client.roomSubscription.openPage(page)
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) expect(client.conversation.send(text)).toBeNull()
    expect(client.shownTexts()).toHaveLength(5)
  })

  it('[ACC-60] [CHAT-08] exempt a user who becomes a root admin, until the role is revoked', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ missed: [], inRoomForMs: 0 })
    expect(client.conversation.send('erken')?.body.code).toBe('JustJoined')
    const become = (role: 'rootadmin' | 'guest') =>
      environment.transport.receive([Kind.event, ++lastSeq, 'userProfileUpdated', { user: { ...ADA, role } }])
    become('rootadmin')
    await sayAnswered('şimdi')
    become('guest')
    expect(client.conversation.send('yine erken')?.body.code).toBe('JustJoined')
  })

  it('[CHAT-08] exempt a user whom the server calls exempt, as a room admin', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ missed: [], inRoomForMs: 0, exempt: true })
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) await sayAnswered(text)
    expect(client.shownTexts()).toHaveLength(5)
  })

  it('clear their notice when another room is entered', async () => {
    await client.openRoom()
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) client.conversation.send(text)
    client.roomSubscription.openPage(createRoomPage({ roomId: 2 }))
    expect(notice()).toBeNull()
    expect(client.conversation.send('erken')?.body.code).toBe('JustJoined')
  })
})

describe('the notice of an isolated region', () => {
  const CUT = refuse('RegionCut').body
  beforeEach(() => client.openRoom())

  it('[FILE-34] is also that of a full disk', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', refuse('StorageFull', { message: GUESTS_CANNOT_WRITE_TEXT }).body)
    await environment.advance(5_000)
    expect(client.conversation.composerNotice.value?.text).toBe(GUESTS_CANNOT_WRITE_TEXT)
    await answer()
    expect([client.shownTexts(), client.conversation.composerNotice.value]).toEqual([['Bir'], null])
  })

  it('[REG-32] appears once while a message waits, and disappears when it is sent', async () => {
    const shown: unknown[] = []
    client.conversation.composerNotice.subscribe((notice) => shown.push(notice?.text ?? null))
    client.conversation.send('bir')
    for (let tries = 0; tries < 3; tries++) {
      environment.transport.refuse('sendMessage', CUT)
      await environment.advance(5_000)
    }
    expect(client.shownTexts()).toEqual(['Bir…'])
    expect(client.conversation.composerNotice.value).toEqual({ kind: 'warning', text: CUT.message, endsAt: null })
    await answer()
    expect(client.shownTexts()).toEqual(['Bir'])
    expect(shown).toEqual([null, CUT.message, null])
  })

  it('[REG-32] disappears when the message arrives as an event, fails, or its room is left', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    const { clientId } = environment.transport.request('sendMessage').input
    const own = createMessage(2000, { senderId: ADA.id, senderUsername: 'ada', clientId: String(clientId) })
    environment.transport.receive([Kind.event, ++lastSeq, 'message', own])
    await flushPromises()
    expect(client.conversation.composerNotice.value).toBeNull()

    client.conversation.send('iki')
    environment.transport.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    environment.transport.refuse('sendMessage', { code: 'Forbidden', message: 'Olmaz.' })
    await flushPromises()
    expect([client.conversation.composerNotice.value, client.shownTexts().at(-1)]).toEqual([null, 'İki!'])

    client.conversation.send('üç')
    environment.transport.refuse('sendMessage', CUT)
    await flushPromises()
    expect(client.conversation.composerNotice.value).not.toBeNull()
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    expect(client.conversation.composerNotice.value).toBeNull()
  })

  it('[REG-32] yields to the notice of a chat limit', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    environment.transport.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await flushPromises()
    expect(client.conversation.composerNotice.value).toMatchObject({ text: JUST_JOINED })
    await environment.advance(8_000)
    expect(client.shownTexts()).toEqual(['Bir…'])
    expect(client.conversation.composerNotice.value).toMatchObject({ text: MAY_SEND_AGAIN })
    await environment.advance(4_000)
    expect(client.conversation.composerNotice.value).toBeNull()
  })

  it('[REG-32] does not appear for a busy server', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', refuse('Busy').body)
    await flushPromises()
    expect([client.conversation.composerNotice.value, client.shownTexts()]).toEqual([null, ['Bir…']])
  })
})

describe('a wait that only the server knows', () => {
  beforeEach(() => client.openRoom())

  it('[CHAT-05] delays messages written without a connection until the wait after joining again is over', async () => {
    environment.transport.drop()
    client.conversation.send('bir')
    await environment.advance(6_000)
    await client.answerHello({ resumed: false })
    await client.answerJoin({ inRoomForMs: 0 })
    environment.transport.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 9_990 })
    await flushPromises()
    expect(client.shownTexts()).toEqual(['Bir…'])
    expect(notice()).toMatchObject({ kind: 'warning', text: JUST_JOINED, endsAt: environment.now() + 9_990 })
    expect(client.conversation.send('iki')?.body.code).toBe('JustJoined')
    await environment.advance(9_990)
    expect(environment.transport.count('sendMessage')).toBe(2)
    await answer()
    expect(client.shownTexts()).toEqual(['Bir'])
  })

  it('[CHAT-05] holds later messages when the server counts from a later time', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await flushPromises()
    await environment.advance(1_000)
    expect(client.conversation.send('iki')?.body).toMatchObject({ code: 'JustJoined', waitMs: 7_000 })
  })

  it('applies to pending messages of a room that the user left', async () => {
    client.conversation.send('bir')
    client.conversation.send('iki')
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    await answer()
    client.outbox.flush()
    expect(client.shownTexts()).toEqual([])
    client.roomSubscription.openPage(createRoomPage({ cursor: 300 }))
    await client.answerJoin({ cursor: 300, missed: [] })
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    environment.transport.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await flushPromises()
    expect([notice(), client.shownTexts()]).toEqual([null, []])
    client.roomSubscription.openPage(createRoomPage({ cursor: 300 }))
    expect(client.shownTexts()).toEqual(['İki…'])
  })

  it('[CHAT-06] fails a message with the text of its refusal', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', { code: 'TooManyInARow', message: TOO_MANY, waitMs: 12_000 })
    await flushPromises()
    expect(client.conversation.bubbles.value).toMatchObject([{ status: 'failed', failure: TOO_MANY }])
    expect(notice()).toMatchObject({ text: TOO_MANY, endsAt: environment.now() + 12_000 })
  })

  it('[CHAT-11] joins again, once, when the server does not find the user in the room', async () => {
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisin.' })
    await environment.advance(0)
    expect(environment.transport.count('joinRoom')).toBe(2)
    expect(environment.transport.request('joinRoom').input).toEqual({ roomId: 1 })
    await client.answerJoin()
    expect(environment.transport.count('sendMessage')).toBe(2)
    environment.transport.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisin.' })
    await flushPromises()
    expect(client.conversation.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Önce odaya girmelisin.' }])
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    client.conversation.send('iki')
    environment.transport.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisin.' })
    await environment.advance(0)
    expect(environment.transport.count('joinRoom')).toBe(1)
  })
})
