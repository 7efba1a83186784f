import { beforeEach, describe, expect, it } from 'vitest'
import { person } from '../../shared/accounts/testing/person.ts'
import { Kind } from '../../shared/protocol/frame.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { FakeEnvironment, settled } from '../live/testing/fake-environment.ts'
import { ada } from '../live/testing/people.ts'
import { messageOf, pageOf, RoomClient } from '../live/testing/room-client.ts'

const JUST_JOINED = 'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.'
const TOO_MANY = 'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.'
const MAY_SEND_AGAIN = 'Artık mesaj gönderebilirsiniz.'

let environment: FakeEnvironment
let client: RoomClient
let lastId: number
let lastSeq: number

beforeEach(() => {
  environment = new FakeEnvironment()
  client = new RoomClient(environment)
  lastId = 1000
  lastSeq = 200
})

/** Somebody else says something. */
function hear(id: number, seq = ++lastSeq): void {
  environment.wire.receive([Kind.event, seq, 'message', messageOf(id, { createdAt: environment.now() })])
}

async function answer(): Promise<void> {
  environment.wire.answer('sendMessage', { success: true, id: ++lastId, createdAt: environment.now() })
  await settled()
}

async function sayAnswered(text: string): Promise<void> {
  expect(client.thread.say(text)).toBeNull()
  await answer()
}

const notice = () => client.thread.notice.shown.value

describe('what is taken away', () => {
  it('[MOD-11] is everything when the room is cleared, and what is said after stays', async () => {
    await client.enter(pageOf({ messages: [messageOf(1)] }))
    hear(2)
    environment.wire.receive([Kind.event, ++lastSeq, 'clearMessages', { roomId: 2 }])
    expect(client.shown()).toEqual(['Mesaj 1', 'Mesaj 2'])
    environment.wire.receive([Kind.event, ++lastSeq, 'clearMessages', { roomId: 1 }])
    hear(3)
    expect(client.shown()).toEqual(['Mesaj 3'])
  })

  it('[MOD-10] is what a banned person said, in quotes too', async () => {
    const { senderId } = messageOf(1)
    // Somebody may have had the name before.
    const [bad, namesake] = [senderId, 77].map((id) => ({ content: 'Söz', senderId: id, senderUsername: 'can' }))
    const others = { senderId: 9, senderUsername: 'lale' }
    const [toBad, toNamesake] = [bad, namesake].map((of, index) => ({ id: 100 + index, ...Object(of) }))
    const answers = [messageOf(2, { ...others, replyTo: toBad }), messageOf(3, { ...others, replyTo: toNamesake })]
    await client.enter(pageOf({ messages: [messageOf(1), ...answers] }))
    const gone = { roomId: 1, userId: senderId, username: 'can' }
    environment.wire.receive([Kind.event, ++lastSeq, 'removeBannedMessages', gone])
    expect(client.thread.bubbles.value.map(({ content, replyTo }) => [content, replyTo?.content])).toEqual([
      ['Mesaj 2', null],
      ['Mesaj 3', 'Söz'],
    ])
  })

  it('[MOD-11] [MOD-12] stays what it is where the page was rendered after it', async () => {
    client.roomLine.enter(pageOf({ messages: [messageOf(5)], cursor: 180 }))
    await client.greet()
    await client.letIn({ cursor: 180, missed: [] })
    environment.wire.receive([Kind.event, 170, 'clearMessages', { roomId: 1 }])
    expect(client.shown()).toEqual(['Mesaj 5'])
  })
})

describe('somebody who is shown in another way', () => {
  const quote = { id: 1, content: 'Mesaj 1', senderId: 2, senderUsername: 'can' }
  const shown = () =>
    client.thread.bubbles.value.map(({ sender, replyTo }) => [sender.username, sender.gender, replyTo?.senderUsername])
  const renamed = { ...person(2, 'canan'), gender: 'female' as const }

  beforeEach(() =>
    client.enter(
      pageOf({ messages: [messageOf(1), messageOf(2, { senderId: 9, senderUsername: 'lale', replyTo: quote })] }),
    ),
  )

  it.each([
    ['userProfileUpdated', { user: renamed }],
    ['user-joined', { roomId: 1, user: renamed }],
    ['users-in-room', { roomId: 1, users: [renamed], total: 1 }],
  ])('[CHAT-41] is so in what they said and in quotes of it, by %s', (name, payload) => {
    environment.wire.receive([Kind.ephemeral, name, payload])
    expect(shown()).toEqual([
      ['canan', 'female', undefined],
      ['lale', null, 'canan'],
    ])
  })

  it('[ACC-41] is so in what they are about to say, when it is the reader', async () => {
    const own = client.thread.viewerName.value
    const viewer = pageOf({}).viewer
    client.thread.say('merhaba')
    environment.wire.receive([Kind.ephemeral, 'userProfileUpdated', { user: { ...viewer, username: 'gonca' } }])
    expect([own, client.thread.viewerName.value]).toEqual([viewer.username, 'gonca'])
    expect(client.thread.bubbles.value.at(-1)?.sender.username).toBe('gonca')
    environment.wire.receive([Kind.ephemeral, 'userProfileUpdated', { user: renamed }])
    expect(client.thread.viewerName.value).toBe('gonca')
  })

  it('[CHAT-41] changes nothing of what others said, nor draws anything anew where nothing is other', () => {
    const before = client.thread.bubbles.value
    environment.wire.receive([Kind.ephemeral, 'userProfileUpdated', { user: person(9, 'lale') }])
    environment.wire.receive([Kind.ephemeral, 'user-joined', { roomId: 2, user: renamed }])
    expect(client.thread.bubbles.value).toBe(before)
  })
})

describe('the list', () => {
  it("shows the page's messages, marks one's own, and adds what was missed since", async () => {
    const messages = [messageOf(1), messageOf(2, { senderId: ada.id, senderUsername: 'ada' })]
    client.roomLine.enter(pageOf({ messages }))
    expect(client.shown()).toEqual(['Mesaj 1', 'Mesaj 2'])
    expect(client.thread.bubbles.value.map(({ isOwn }) => isOwn)).toEqual([false, true])
    await client.greet()
    await client.letIn({ cursor: 160, missed: [[Kind.event, 150, 'message', messageOf(3)]] })
    environment.wire.receive([Kind.event, 170, 'message', messageOf(4)])
    expect(client.shown()).toEqual(['Mesaj 1', 'Mesaj 2', 'Mesaj 3', 'Mesaj 4'])
  })

  it('[CHAT-01] keeps the latest 40, sorted by time and id, each once, whatever order they come in', async () => {
    await client.enter()
    for (let id = 50; id > 0; id--) {
      environment.wire.receive([Kind.event, 300 - id, 'message', messageOf(id, { createdAt: Math.floor(id / 3) })])
      environment.wire.receive([Kind.event, 300 - id, 'message', messageOf(id)])
    }
    expect(client.thread.bubbles.value.map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 11),
    )
  })

  it("keeps apart what somebody else sends under a clientId that was seen before, one's own too", async () => {
    await client.enter()
    await sayAnswered('Benim')
    const [own] = client.thread.bubbles.value
    for (const id of [2000, 2001]) {
      const copied = messageOf(id, { clientId: own?.key ?? '' })
      environment.wire.receive([Kind.event, ++lastSeq, 'message', copied])
    }
    const keys = client.thread.bubbles.value.map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
  })

  it('takes no notice of what the page covers, nor of other rooms', async () => {
    await client.enter()
    hear(1, 100)
    environment.wire.receive([Kind.event, 101, 'message', messageOf(2, { roomId: 2 })])
    environment.wire.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 2, messages: [messageOf(3)] }])
    expect(client.shown()).toEqual([])
  })

  it('[ROOM-08] is loaded anew when the log could not tell what was missed, and keeps what came after and what is unsent', async () => {
    await client.enter(pageOf({ messages: [messageOf(1)] }))
    hear(2)
    environment.wire.drop()
    client.thread.say('buradayım')
    await environment.advance(6_000)
    await client.greet({ resumed: false, cursor: 900 })
    expect(environment.wire.request('joinRoom').input).toEqual({ roomId: 1 })
    const { id } = environment.wire.request('joinRoom')
    environment.wire.receive(
      [Kind.answer, id, { room: pageOf().room, cursor: 900, exempt: false, inRoomForMs: 60_000 }],
      [Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [messageOf(8), messageOf(9)] }],
      [Kind.event, 901, 'message', messageOf(10)],
    )
    await settled()
    expect(client.shown()).toEqual(['Mesaj 8', 'Mesaj 9', 'Mesaj 10', 'Buradayım…'])
    expect(environment.wire.count('sendMessage')).toBe(1)
  })

  it('is loaded anew when the server says so', async () => {
    await client.enter(pageOf({ messages: [messageOf(1)] }))
    environment.wire.receive([Kind.ephemeral, 'resync', {}])
    await client.letIn({ cursor: 300 })
    environment.wire.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [messageOf(9)] }])
    expect(client.shown()).toEqual(['Mesaj 9'])
  })

  it('[LIVE-18] takes no notice of what the answer to its join covers', async () => {
    client.roomLine.enter(pageOf())
    await client.greet()
    await client.letIn({ cursor: 300, missed: [] })
    hear(1, 300)
    hear(2, 301)
    expect(client.shown()).toEqual(['Mesaj 2'])
  })

  it('moves to another room on the same line', async () => {
    await client.enter(pageOf({ messages: [messageOf(1)] }))
    client.roomLine.enter(pageOf({ roomId: 2, cursor: 300, messages: [messageOf(5, { roomId: 2 })] }))
    expect(client.shown()).toEqual(['Mesaj 5'])
    expect(environment.wire.request('joinRoom').input).toEqual({ roomId: 2, cursor: 300 })
    await client.letIn({ cursor: 310, missed: [] })
    hear(6)
    expect(client.shown()).toEqual(['Mesaj 5'])
  })

  it('keeps what has come since when the same room is shown again', async () => {
    await client.enter(pageOf({ messages: [messageOf(1)] }))
    hear(3)
    client.roomLine.enter(pageOf({ messages: [messageOf(1), messageOf(2)] }))
    expect(client.shown()).toEqual(['Mesaj 1', 'Mesaj 2', 'Mesaj 3'])
    expect(environment.wire.count('joinRoom')).toBe(1)
  })
})

describe('saying something', () => {
  beforeEach(() => client.enter())

  it('[CHAT-16] shows it at once, folded by the rules, and keeps its place when it becomes the kept one', async () => {
    expect(client.thread.say('  istanbul :)')).toBeNull()
    expect(client.shown()).toEqual(['İstanbul 🙂…'])
    const [{ key = '' } = {}] = client.thread.bubbles.value
    await answer()
    expect(client.shown()).toEqual(['İstanbul 🙂'])
    const message = messageOf(1001, {
      content: 'İstanbul 🙂',
      createdAt: environment.now(),
      senderId: ada.id,
      clientId: key,
    })
    environment.wire.receive([Kind.event, 201, 'message', message])
    expect(client.thread.bubbles.value).toMatchObject([{ key, id: 1001, isOwn: true, status: 'sent' }])
  })

  it('becomes the kept one also when the event comes before the answer', async () => {
    client.thread.say('selam')
    const { clientId } = environment.wire.request('sendMessage').input
    const message = messageOf(1, { content: 'Selam', senderId: ada.id, clientId: clientId as string })
    environment.wire.receive([Kind.event, 201, 'message', message])
    expect(client.shown()).toEqual(['Selam'])
    await answer()
    expect(client.thread.bubbles.value).toMatchObject([{ id: 1, status: 'sent' }])
  })

  it('[CHAT-02] takes text in which there is nothing to see, and does nothing with it', () => {
    expect(client.thread.say(' \u200B ')).toBeNull()
    expect(client.shown()).toEqual([])
    expect(environment.wire.count('sendMessage')).toBe(0)
  })

  it('[CHAT-15] leaves what is too long in the composer', () => {
    expect(client.thread.say('x'.repeat(2001))?.body.code).toBe('TooLarge')
    expect(client.thread.say('x'.repeat(2000))).toBeNull()
  })

  it('puts half a character right, which no frame could carry', () => {
    client.thread.say('a\uD800')
    expect(environment.wire.request('sendMessage').input.content).toBe('A\uFFFD')
  })

  it('shows what is under way below what others say meanwhile', async () => {
    client.thread.say('bir')
    await environment.advance(1_000)
    hear(1)
    expect(client.shown()).toEqual(['Mesaj 1', 'Bir…'])
  })

  it('[CHAT-16] shows why it failed, and tries again or gives up', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', { code: 'Failed', message: 'Beklenmeyen bir hata oluştu.' })
    await settled()
    expect(client.thread.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Beklenmeyen bir hata oluştu.' }])
    const [{ key = '' } = {}] = client.thread.bubbles.value
    client.thread.tryAgain(key)
    expect(client.shown()).toEqual(['Bir…'])
    environment.wire.refuse('sendMessage', { code: 'Failed', message: 'Olmadı.' })
    await settled()
    await environment.advance(1_000)
    hear(1)
    expect(client.shown()).toEqual(['Bir!', 'Mesaj 1'])
    client.thread.discard(key)
    expect(client.shown()).toEqual(['Mesaj 1'])
  })

  it('[CHAT-17] shows what is said without a line, and sends it once when the line is back', async () => {
    environment.wire.drop()
    client.thread.say('bir')
    client.thread.say('iki')
    expect(client.shown()).toEqual(['Bir…', 'İki…'])
    await environment.advance(6_000)
    await client.greet({ roomId: 1 })
    expect(environment.wire.count('joinRoom')).toBe(0)
    await answer()
    await answer()
    expect(environment.wire.count('sendMessage')).toBe(2)
    expect(client.shown()).toEqual(['Bir', 'İki'])
  })

  it('[CHAT-17] goes out in its own room, when the person comes back to it', async () => {
    environment.wire.drop()
    client.thread.say('bir')
    client.roomLine.enter(pageOf({ roomId: 2, cursor: 300 }))
    expect(client.shown()).toEqual([])
    await environment.advance(6_000)
    await client.greet()
    await client.letIn({ cursor: 300, missed: [] })
    expect(environment.wire.count('sendMessage')).toBe(0)
    client.roomLine.enter(pageOf({ cursor: 310 }))
    expect(client.shown()).toEqual(['Bir…'])
    await client.letIn({ cursor: 310, missed: [] })
    expect(environment.wire.request('sendMessage').input).toMatchObject({ roomId: 1, content: 'Bir' })
  })
})

describe('the chat limits, shown ahead', () => {
  it('[CHAT-05] holds a message within 10 seconds of joining, counts down, and says when one may send', async () => {
    client.roomLine.enter(pageOf())
    expect(client.thread.say('erken')?.body).toMatchObject({ code: 'JustJoined', message: JUST_JOINED })
    await client.greet()
    await client.letIn({ missed: [], inRoomForMs: 0 })
    await environment.advance(4_000)
    expect(client.thread.say('erken')?.body.waitMs).toBe(6_000)
    expect(notice()).toEqual({ kind: 'warning', text: JUST_JOINED, until: environment.now() + 6_000 })
    expect(client.shown()).toEqual([])
    await environment.advance(6_000)
    expect(notice()).toEqual({ kind: 'info', text: MAY_SEND_AGAIN, until: null })
    expect(client.thread.say('şimdi')).toBeNull()
    await environment.advance(4_000)
    expect(notice()).toBeNull()
  })

  it('[CHAT-05] counts the stay that the server knows, so that a reload makes nobody wait', async () => {
    client.roomLine.enter(pageOf())
    await client.greet()
    await client.letIn({ missed: [], inRoomForMs: 9_000 })
    await environment.advance(1_000)
    expect(client.thread.say('hemen')).toBeNull()
  })

  it('[CHAT-05] counts down to what the server knows as soon as it is told', async () => {
    client.roomLine.enter(pageOf())
    client.thread.say('erken')
    await client.greet()
    await client.letIn({ missed: [], inRoomForMs: 7_000 })
    expect(notice()).toMatchObject({ text: JUST_JOINED, until: environment.now() + 3_000 })
    environment.wire.drop()
    await environment.advance(6_000)
    client.thread.say('çok erken')
    await client.greet()
    await client.letIn({ inRoomForMs: 60_000 })
    expect(notice()?.text).toBe(MAY_SEND_AGAIN)
  })

  it('[CHAT-06] [CHAT-09] holds the fifth in a row for 30 seconds', async () => {
    await client.enter()
    for (const text of ['bir', 'iki', 'üç', 'dört']) await sayAnswered(text)
    await environment.advance(10_000)
    expect(client.thread.say('beş')?.body).toMatchObject({ code: 'TooManyInARow', message: TOO_MANY, waitMs: 20_000 })
    expect(client.shown()).toHaveLength(4)
    await environment.advance(20_000)
    expect(notice()).toMatchObject({ kind: 'info', text: MAY_SEND_AGAIN })
    expect(client.thread.say('beş')).toBeNull()
  })

  it("[CHAT-07] ends the pause when somebody else's message comes", async () => {
    await client.enter()
    for (const text of ['bir', 'iki', 'üç', 'dört']) await sayAnswered(text)
    client.thread.say('beş')
    hear(++lastId)
    expect(notice()).toMatchObject({ kind: 'info', text: MAY_SEND_AGAIN })
    expect(client.thread.say('beş')).toBeNull()
  })

  it('[CHAT-06] counts what is still under way, and what the page shows, but not what failed', async () => {
    const own = (id: number) => messageOf(id, { senderId: ada.id })
    await client.enter(pageOf({ messages: [own(1), messageOf(2), own(3), own(4)] }))
    client.thread.say('üç')
    environment.wire.refuse('sendMessage', { code: 'Failed', message: 'Olmadı.' })
    await settled()
    environment.wire.drop()
    expect(client.thread.say('üç')).toBeNull()
    expect(client.thread.say('dört')).toBeNull()
    expect(client.thread.say('beş')?.body.code).toBe('TooManyInARow')
    const failed = client.thread.bubbles.value.find(({ status }) => status === 'failed')
    client.thread.tryAgain(failed?.key ?? '')
    expect(client.shown()).toContain('Üç!')
  })

  it.each([
    ['a root admin', pageOf({ viewer: { ...ada, role: 'rootadmin' } })],
    ["the room's owner", pageOf({ room: { ...pageOf().room, ownerId: ada.id } })],
  ])('[CHAT-08] does not hold %s, from the first moment', (_, page) => {
    client.roomLine.enter(page)
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) expect(client.thread.say(text)).toBeNull()
    expect(client.shown()).toHaveLength(5)
  })

  it('[ACC-60] [CHAT-08] does not hold whoever is made a root admin meanwhile, and holds them when that is over', async () => {
    client.roomLine.enter(pageOf())
    await client.greet()
    await client.letIn({ missed: [], inRoomForMs: 0 })
    expect(client.thread.say('erken')?.body.code).toBe('JustJoined')
    const become = (role: 'rootadmin' | 'guest') =>
      environment.wire.receive([Kind.event, ++lastSeq, 'userProfileUpdated', { user: { ...ada, role } }])
    become('rootadmin')
    await sayAnswered('şimdi')
    become('guest')
    expect(client.thread.say('yine erken')?.body.code).toBe('JustJoined')
  })

  it('[CHAT-08] does not hold whom the server calls exempt, as a room admin', async () => {
    client.roomLine.enter(pageOf())
    await client.greet()
    await client.letIn({ missed: [], inRoomForMs: 0, exempt: true })
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) await sayAnswered(text)
    expect(client.shown()).toHaveLength(5)
  })

  it('forgets its notice when another room is entered', async () => {
    await client.enter()
    for (const text of ['bir', 'iki', 'üç', 'dört', 'beş']) client.thread.say(text)
    client.roomLine.enter(pageOf({ roomId: 2 }))
    expect(notice()).toBeNull()
    expect(client.thread.say('erken')?.body.code).toBe('JustJoined')
  })
})

describe('a region that is cut off', () => {
  const CUT = refuse('RegionCut').body
  beforeEach(() => client.enter())

  it('[REG-32] says so once while the message waits, and no more when it is sent', async () => {
    const shown: unknown[] = []
    client.thread.said.subscribe((notice) => shown.push(notice?.text ?? null))
    client.thread.say('bir')
    for (let tries = 0; tries < 3; tries++) {
      environment.wire.refuse('sendMessage', CUT)
      await environment.advance(5_000)
    }
    expect(client.shown()).toEqual(['Bir…'])
    expect(client.thread.said.value).toEqual({ kind: 'warning', text: CUT.message, until: null })
    await answer()
    expect(client.shown()).toEqual(['Bir'])
    expect(shown).toEqual([null, CUT.message, null])
  })

  it('[REG-32] is no matter any more when the message comes as an event, fails, or its room is left', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    const { clientId } = environment.wire.request('sendMessage').input
    const own = messageOf(2000, { senderId: ada.id, senderUsername: 'ada', clientId: String(clientId) })
    environment.wire.receive([Kind.event, ++lastSeq, 'message', own])
    await settled()
    expect(client.thread.said.value).toBeNull()

    client.thread.say('iki')
    environment.wire.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    environment.wire.refuse('sendMessage', { code: 'Forbidden', message: 'Olmaz.' })
    await settled()
    expect([client.thread.said.value, client.shown().at(-1)]).toEqual([null, 'İki!'])

    client.thread.say('üç')
    environment.wire.refuse('sendMessage', CUT)
    await settled()
    expect(client.thread.said.value).not.toBeNull()
    client.roomLine.enter(pageOf({ roomId: 2, cursor: 300 }))
    expect(client.thread.said.value).toBeNull()
  })

  it('[REG-32] gives way to what the chat limits say', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', CUT)
    await environment.advance(2_000)
    environment.wire.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await settled()
    expect(client.thread.said.value).toMatchObject({ text: JUST_JOINED })
    await environment.advance(8_000)
    expect(client.shown()).toEqual(['Bir…'])
    expect(client.thread.said.value).toMatchObject({ text: MAY_SEND_AGAIN })
    await environment.advance(4_000)
    expect(client.thread.said.value).toBeNull()
  })

  it('[REG-32] is not told of a server that is busy: it waits, and says nothing', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', refuse('Busy').body)
    await settled()
    expect([client.thread.said.value, client.shown()]).toEqual([null, ['Bir…']])
  })
})

describe('what only the server knew', () => {
  beforeEach(() => client.enter())

  it('[CHAT-05] sends what was typed while the line was cut when the wait after entering anew is over', async () => {
    environment.wire.drop()
    client.thread.say('bir')
    await environment.advance(6_000)
    await client.greet({ resumed: false })
    await client.letIn({ inRoomForMs: 0 })
    environment.wire.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 9_990 })
    await settled()
    expect(client.shown()).toEqual(['Bir…'])
    expect(notice()).toMatchObject({ kind: 'warning', text: JUST_JOINED, until: environment.now() + 9_990 })
    expect(client.thread.say('iki')?.body.code).toBe('JustJoined')
    await environment.advance(9_990)
    expect(environment.wire.count('sendMessage')).toBe(2)
    await answer()
    expect(client.shown()).toEqual(['Bir'])
  })

  it('[CHAT-05] holds what follows when the server counts from later than the browser did', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await settled()
    await environment.advance(1_000)
    expect(client.thread.say('iki')?.body).toMatchObject({ code: 'JustJoined', waitMs: 7_000 })
  })

  it('keeps to its room what was under way when the person left it', async () => {
    client.thread.say('bir')
    client.thread.say('iki')
    client.roomLine.enter(pageOf({ roomId: 2, cursor: 300 }))
    await answer()
    client.outbox.flush()
    expect(client.shown()).toEqual([])
    client.roomLine.enter(pageOf({ cursor: 300 }))
    await client.letIn({ cursor: 300, missed: [] })
    client.roomLine.enter(pageOf({ roomId: 2, cursor: 300 }))
    environment.wire.refuse('sendMessage', { code: 'JustJoined', message: JUST_JOINED, waitMs: 8_000 })
    await settled()
    expect([notice(), client.shown()]).toEqual([null, []])
    client.roomLine.enter(pageOf({ cursor: 300 }))
    expect(client.shown()).toEqual(['İki…'])
  })

  it('[CHAT-06] fails with the text of the pause', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', { code: 'TooManyInARow', message: TOO_MANY, waitMs: 12_000 })
    await settled()
    expect(client.thread.bubbles.value).toMatchObject([{ status: 'failed', failure: TOO_MANY }])
    expect(notice()).toMatchObject({ text: TOO_MANY, until: environment.now() + 12_000 })
  })

  it('[CHAT-11] enters again, once, when the server does not find us in the room', async () => {
    client.thread.say('bir')
    environment.wire.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisiniz.' })
    await environment.advance(0)
    expect(environment.wire.count('joinRoom')).toBe(2)
    expect(environment.wire.request('joinRoom').input).toEqual({ roomId: 1 })
    await client.letIn()
    expect(environment.wire.count('sendMessage')).toBe(2)
    environment.wire.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisiniz.' })
    await settled()
    expect(client.thread.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Önce odaya girmelisiniz.' }])
    environment.wire.drop()
    await environment.advance(6_000)
    await client.greet({ roomId: 1 })
    client.thread.say('iki')
    environment.wire.refuse('sendMessage', { code: 'NotInRoom', message: 'Önce odaya girmelisiniz.' })
    await environment.advance(0)
    expect(environment.wire.count('joinRoom')).toBe(1)
  })
})
