import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { CloseCode, Kind, type ServerValue } from '../../../shared/protocol/frame.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { FakeEnvironment, flushPromises } from '../platform/testing/fake-environment.ts'
import { endOlderConnection } from './connection-actions.ts'
import { LiveClient } from './live-client.ts'
import { replayMissed } from './replay-missed.ts'
import { FakeSession } from './testing/fake-session.ts'
import { ADA } from './testing/fixture-users.ts'

let environment: FakeEnvironment
let session: FakeSession
let live: LiveClient

beforeEach(() => {
  environment = new FakeEnvironment()
  session = new FakeSession()
  live = new LiveClient(environment, session)
})

/** Opens the present wire and answers its hello. */
async function greet({
  cursor = 100,
  resumed = true,
  roomId,
}: {
  cursor?: number
  resumed?: boolean
  roomId?: number
} = {}) {
  environment.transport.accept()
  environment.transport.answer('hello', {
    user: ADA satisfies Person,
    cursor,
    resumed,
    serverTime: environment.now() + 5_000,
    ...(roomId && { roomId }),
  })
  await flushPromises()
}

async function connect(): Promise<void> {
  live.start(100, environment.now())
  await greet()
}

const status = () => live.connection.value.status

describe('hello', () => {
  it('sends token, browser, tab and cursor', async () => {
    live.start(100, environment.now())
    expect(status()).toBe('connecting')
    environment.transport.accept()
    expect(environment.transport.sent).toEqual([
      [
        Kind.request,
        1,
        'hello',
        { protocol: 1, token: 'token 0', browserId: 'browser', tabId: 'tab', platform: 'web', cursor: 100 },
      ],
    ])
    await greet()
    expect(live.connection.value).toEqual({ status: 'connected', attempt: 0 })
  })

  it('opens one connection for several starts', async () => {
    await connect()
    live.start(200, environment.now())
    expect(environment.transports).toHaveLength(1)
  })

  it("takes the server's clock", async () => {
    await connect()
    expect(live.serverNow()).toBe(environment.now() + 5_000)
  })

  it('offers a reload for an outdated protocol, and does not reconnect', async () => {
    live.start(100, environment.now())
    environment.transport.accept()
    environment.transport.refuse('hello', { code: 'ProtocolOutdated', message: 'Lütfen sayfayı yenile.' })
    await environment.advance(60_000)
    expect(live.connection.value).toMatchObject({ status: 'outdated', message: 'Lütfen sayfayı yenile.' })
    expect(environment.transports).toHaveLength(1)
    expect(environment.transport.isOpen).toBe(false)
  })

  it.each([true, false])('[ACC-28] logs out when the browser id is missing; server reachable: %s', async (isThere) => {
    const message = 'Tarayıcı kimliği bulunamadı.'
    session.storedBrowserId = null
    session.canLogOut = isThere
    live.start(100, environment.now())
    environment.transport.accept()
    expect(environment.transport.request('hello').input).not.toHaveProperty('browserId')
    environment.transport.refuse('hello', { code: 'BrowserIdMissing', message })
    await flushPromises()
    expect([session.logOutMessages, session.endMessages]).toEqual([isThere ? [message] : [], [message]])
    expect(status()).toBe('ended')
  })

  it('retries later when the server is busy', async () => {
    live.start(100, environment.now())
    environment.transport.accept()
    environment.transport.refuse('hello', { code: 'Busy', message: 'Yoğun.' })
    await environment.advance(6_000)
    expect(environment.transports).toHaveLength(2)
  })
})

describe('requests', () => {
  it('[LIVE-02] have rising ids, which match answers to requests', async () => {
    await connect()
    const rooms = live.request('getRooms', {})
    const people = live.request('getRoomUsers', { roomId: 1 })
    expect(environment.transport.sent.map((value) => value[0] === Kind.request && value[1])).toEqual([1, 2, 3])
    environment.transport.receive(
      [Kind.refusal, 3, { code: 'NotInRoom', message: 'Hayır.' }],
      [Kind.answer, 2, { rooms: [] }],
      [Kind.answer, 77, {}],
      [Kind.answer, 2, { rooms: ['again'] }],
    )
    expect(await rooms).toEqual({ rooms: [] })
    expect(await people).toEqual(new Refusal({ code: 'NotInRoom', message: 'Hayır.' }))
  })

  it('resolve with disconnected without a connection, and when it closes meanwhile', async () => {
    expect(await live.request('getRooms', {})).toBe('disconnected')
    await connect()
    const rooms = live.request('getRooms', {})
    environment.transport.drop()
    expect(await rooms).toBe('disconnected')
  })

  it('resolve with timedOut after 30 seconds without an answer', async () => {
    await connect()
    const rooms = live.request('getRooms', {})
    await environment.advance(29_999)
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 100 }])
    await environment.advance(1)
    expect(await rooms).toBe('timedOut')
    expect(status()).toBe('connected')
  })

  it('[LIVE-36] close a connection that is silent for 30 seconds, and are repeated on the next one', async () => {
    await connect()
    const rooms = live.request('getRooms', {})
    await environment.advance(29_999)
    expect(status()).toBe('connected')
    await environment.advance(1)
    expect(await rooms).toBe('disconnected')
    expect(status()).toBe('reconnecting')
  })

  it('over 64 KiB are not sent, and are not repeated after the server found one too large', async () => {
    await connect()
    const long = 'x'.repeat(70_000)
    expect(await live.request('getRoomUsers', { roomId: 1, after: long })).toMatchObject({ body: { code: 'TooLarge' } })
    for (const code of [CloseCode.frameTooLarge, 1009]) {
      const rooms = live.request('getRooms', {})
      environment.transport.drop(code)
      expect(await rooms).toMatchObject({ body: { code: 'TooLarge' } })
      await environment.advance(6_000)
      await greet()
    }
  })

  it('include signals, which have no id and no answer', async () => {
    live.sendSignal('userConnected', {})
    await connect()
    live.sendSignal('userConnected', {})
    expect(environment.transports).toHaveLength(1)
    expect(environment.transport.sent.at(-1)).toEqual([Kind.signal, 'userConnected', {}])
  })
})

describe('events', () => {
  it('[LIVE-05] arrive once and in order, and every ephemeral event arrives', async () => {
    const received: unknown[] = []
    live.on('message', ({ id }, seq) => received.push([id, seq]))
    live.on('activeUsersCount', ({ count }, seq) => received.push([count, seq]))
    await connect()
    environment.transport.receive(
      [Kind.event, 100, 'message', { id: 1 }],
      [Kind.event, 101, 'message', { id: 2 }],
      [Kind.ephemeral, 'activeUsersCount', { count: 3 }],
      [Kind.event, 101, 'message', { id: 2 }],
      [Kind.ephemeral, 'activeUsersCount', { count: 3 }],
    )
    expect(received).toEqual([
      [2, 101],
      [3, null],
      [3, null],
    ])
  })

  it('[LIVE-38] follow the answer that precedes them, in the same frame or the next one', async () => {
    const received: unknown[] = []
    live.on('activeUsersCount', ({ count }) => received.push(count))
    await connect()
    const through = async (promises: number): Promise<void> => {
      const answer = promises > 0 ? await through(promises - 1) : await live.request('getRooms', {})
      if (answer) received.push(answer)
    }
    const count = (n: number): ServerValue => [Kind.ephemeral, 'activeUsersCount', { count: n }]
    const requests = [through(0), through(0), through(2)]
    environment.transport.receive(
      count(1),
      [Kind.answer, 2, { rooms: [] }],
      count(2),
      [Kind.refusal, 3, { code: 'Failed', message: 'Olmadı.' }],
      [Kind.answer, 4, { rooms: [] }],
      count(3),
    )
    environment.transport.receive(count(4))
    await Promise.all(requests)
    await flushPromises()
    const failed = new Refusal({ code: 'Failed', message: 'Olmadı.' })
    expect(received).toEqual([1, { rooms: [] }, 2, failed, { rooms: [] }, 3, 4])
  })

  it('[LIVE-38] behind an answer arrive before the end of their connection', async () => {
    const received: unknown[] = []
    live.on('activeUsersCount', ({ count }) => received.push(count))
    await connect()
    const request = live.request('getRooms', {}).then((answer) => received.push(answer))
    const count: ServerValue = [Kind.ephemeral, 'activeUsersCount', { count: 2 }]
    environment.transport.receive([Kind.answer, 2, { rooms: [] }], count)
    environment.transport.drop()
    await request
    await flushPromises()
    expect(received).toEqual([{ rooms: [] }, 2])
    expect(status()).not.toBe('connected')
  })

  it('[LIVE-38] follow the answer to hello when it causes a resync', async () => {
    live.start(100, environment.now())
    environment.transport.accept()
    environment.transport.receive(
      [Kind.answer, 1, { user: ADA, cursor: 200, resumed: false, serverTime: 0 }],
      [Kind.event, 201, 'message', { id: 1 }],
    )
    await flushPromises()
    environment.transport.drop()
    await environment.advance(6_000)
    environment.transport.accept()
    expect(environment.transport.request('hello').input).toMatchObject({ cursor: 201 })
  })

  it('of one stream arrive below a cursor that an answer gave for another stream', async () => {
    const received: number[] = []
    live.on('message', ({ id }) => received.push(id))
    await connect()
    void live.request('joinRoom', { roomId: 1 })
    environment.transport.answer('joinRoom', { cursor: 150 })
    await flushPromises()
    environment.transport.receive([Kind.event, 120, 'message', { id: 7 }])
    expect(received).toEqual([7])
  })

  it('[LIVE-15] missed before hello arrive although its answer has a later cursor, also in the same frame', async () => {
    const received: number[] = []
    live.on('message', ({ id }) => received.push(id))
    live.start(100, environment.now())
    environment.transport.accept()
    const { id } = environment.transport.request('hello')
    environment.transport.receive(
      [Kind.answer, id, { user: ADA, cursor: 200, resumed: true, serverTime: 0 }],
      [Kind.event, 150, 'message', { id: 1 }],
    )
    await flushPromises()
    environment.transport.receive([Kind.event, 180, 'message', { id: 2 }])
    expect(received).toEqual([1, 2])
  })

  it('[SHELL-31] missed by a late store are replayed to it once and in order, and to no other store', async () => {
    await connect()
    const received: string[] = []
    live.on('activeUsersCount', ({ count }) => received.push(`early ${count}`))
    const tell = (count: number) => environment.transport.receive([Kind.ephemeral, 'activeUsersCount', { count }])
    const refetch = (): void => void received.push('fetch')
    const listen = (who: string) => () => {
      live.on('userLeft', ({ username }) => received.push(`${who} ${username}`))
      live.on('activeUsersCount', ({ count }) => received.push(`${who} ${count}`))
    }
    tell(1)
    environment.transport.receive([Kind.ephemeral, 'userLeft', { username: 'can' }])
    tell(2)
    replayMissed(live, listen('first'), refetch)
    expect(received.splice(0)).toEqual(['early 1', 'early 2', 'first 1', 'first can', 'first 2'])
    tell(3)
    replayMissed(live, listen('second'), refetch)
    expect(received.splice(0)).toEqual(['early 3', 'first 3', 'second 1', 'second can', 'second 2', 'second 3'])
    replayMissed(live, listen('third'), refetch)
    expect(received.splice(0)).toEqual(['third 1', 'third can', 'third 2', 'third 3'])
    tell(4)
    expect(received).toEqual(['early 4', 'first 4', 'second 4', 'third 4'])
  })

  it.each([
    [
      'too many events',
      Array.from({ length: 1_001 }, (): ServerValue => [Kind.ephemeral, 'userLeft', { username: 'can' }]),
    ],
    ['too many bytes', [[Kind.ephemeral, 'userLeft', { username: 'c'.repeat(256 * 1024) }] satisfies ServerValue]],
    ['a resync', [[Kind.ephemeral, 'resync', {}] satisfies ServerValue]],
  ])('[SHELL-31] tells late stores to fetch after %s, and replays again from the next page on', async (_, values) => {
    await connect()
    const received: string[] = []
    const addStore = () =>
      replayMissed(
        live,
        () => void live.on('userLeft', ({ username }) => received.push(username)),
        () => received.push('fetch'),
      )
    environment.transport.receive(...values, [Kind.ephemeral, 'userLeft', { username: 'ece' }])
    addStore()
    addStore()
    expect(received.splice(0)).toEqual(['fetch', 'fetch'])
    live.replayBuffer.restart()
    environment.transport.receive([Kind.ephemeral, 'userLeft', { username: 'ada' }])
    addStore()
    expect(received).toEqual(['ada', 'ada', 'ada'])
  })

  it('that are unknown are ignored, and a failing handler does not affect others', async () => {
    let count = 0
    live.on('activeUsersCount', () => {
      throw new Error('a bug')
    })
    live.on('activeUsersCount', () => {
      count++
    })
    await connect()
    environment.transport.receive(
      [Kind.ephemeral, 'ofTomorrow', {}],
      [Kind.ephemeral, 'activeUsersCount', { count: 1 }],
    )
    expect(count).toBe(1)
    expect(environment.reportedErrors).toEqual(['the handler of activeUsersCount failed'])
  })

  it('in an unreadable frame cause a reconnect', async () => {
    await connect()
    environment.transport.receiveBytes(Uint8Array.of(0xc1))
    expect(status()).toBe('reconnecting')
    expect(environment.reportedErrors).toHaveLength(1)
  })
})

describe('resuming', () => {
  const cursorOfHello = () => environment.transport.request('hello').input.cursor

  it('[LIVE-15] sends the highest cursor seen and the current room', async () => {
    await connect()
    live.roomId = 7
    environment.transport.receive([Kind.event, 140, 'message', {}])
    environment.transport.drop()
    await environment.advance(6_000)
    environment.transport.accept()
    expect(environment.transport.request('hello').input).toMatchObject({ cursor: 140, roomId: 7 })
  })

  it('[LIVE-20] counts a cursor event as seen', async () => {
    await connect()
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 170 }])
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 160 }])
    environment.transport.drop()
    await environment.advance(6_000)
    environment.transport.accept()
    expect(cursorOfHello()).toBe(170)
  })

  it('[LIVE-16] tells listeners to resync when the log does not cover the gap', async () => {
    const notified: boolean[] = []
    live.onConnected((resumed) => notified.push(resumed))
    await connect()
    live.roomId = 7
    environment.transport.drop()
    await environment.advance(6_000)
    await greet({ cursor: 30, resumed: false })
    expect(live.roomId).toBeNull()
    environment.transport.receive([Kind.ephemeral, 'resync', {}])
    expect(notified).toEqual([true, false, false])
    environment.transport.drop()
    await environment.advance(6_000)
    environment.transport.accept()
    expect(cursorOfHello()).toBe(30)
  })

  it('[LIVE-17] is in no room when the resume did not rejoin it', async () => {
    await connect()
    live.roomId = 7
    environment.transport.drop()
    await environment.advance(6_000)
    await greet()
    expect(live.roomId).toBeNull()
    environment.transport.drop()
    await environment.advance(6_000)
    await greet({ roomId: 7 })
    expect(live.roomId).toBe(7)
  })
})

describe('reconnecting', () => {
  it('[LIVE-34] makes 5 attempts, 5 seconds and a jitter apart, and then reports an unreachable server', async () => {
    await connect()
    for (const attempt of [1, 2, 3, 4, 5]) {
      environment.transport.drop()
      expect(live.connection.value).toEqual({ status: 'reconnecting', attempt })
      await environment.advance(5_499)
      expect(environment.transports).toHaveLength(attempt)
      await environment.advance(1)
      expect(environment.transports).toHaveLength(attempt + 1)
    }
    environment.transport.drop()
    expect(status()).toBe('unreachable')
    await environment.advance(600_000)
    expect(environment.transports).toHaveLength(6)
  })

  it('[LIVE-60] begins when the browser goes offline, and says after 1.5 s that a request is not answered', async () => {
    await connect()
    void live.request('getRooms', {})
    await environment.advance(1_499)
    expect(live.isUnanswered.value).toBe(false)
    await environment.advance(1)
    expect([live.isUnanswered.value, status()]).toEqual([true, 'connected'])
    environment.transport.receive([Kind.event, 101, 'cursor', { cursor: 101 }])
    expect(live.isUnanswered.value).toBe(false)
    environment.emitOffline()
    expect([status(), environment.transport.isOpen]).toEqual(['reconnecting', false])
    environment.emitOffline()
    expect(live.connection.value.attempt).toBe(1)
  })

  it('[LIVE-34] ends an attempt after 30 seconds, hello included', async () => {
    live.start(100, environment.now())
    await environment.advance(10_000)
    environment.transport.accept()
    await environment.advance(19_999)
    expect(status()).toBe('connecting')
    await environment.advance(1)
    expect(live.connection.value).toEqual({ status: 'reconnecting', attempt: 1 })
  })

  it('starts with all attempts after each connection', async () => {
    await connect()
    environment.transport.drop()
    await environment.advance(6_000)
    await greet()
    expect(status()).toBe('connected')
    environment.transport.drop()
    expect(live.connection.value).toEqual({ status: 'reconnecting', attempt: 1 })
  })

  it.each(['the button', 'the network or the tab that comes back'])(
    '[LIVE-34] makes an attempt at once for %s',
    async (which) => {
      const again = () => (which === 'the button' ? live.retryNow() : environment.emitWake())
      await connect()
      again()
      expect(environment.transports).toHaveLength(1)
      for (let attempt = 0; attempt <= 5; attempt++) {
        environment.transport.drop()
        await environment.advance(6_000)
      }
      expect(status()).toBe('unreachable')
      again()
      again()
      expect(environment.transports).toHaveLength(7)
      expect(live.connection.value).toEqual({ status: 'reconnecting', attempt: 1 })
      environment.transport.drop()
      again()
      expect(environment.transports).toHaveLength(8)
      await environment.advance(6_000)
      expect(environment.transports).toHaveLength(8)
      await greet()
      expect(status()).toBe('connected')
    },
  )

  it('closes a connection that receives nothing for a minute', async () => {
    await connect()
    await environment.advance(50_000)
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 100 }])
    await environment.advance(50_000)
    expect(status()).toBe('connected')
    await environment.advance(41_000)
    expect(status()).toBe('reconnecting')
    expect(environment.transports[0]?.isOpen).toBe(false)
  })

  it('reconnects at once when the machine wakes up', async () => {
    await connect()
    environment.sleep(10 * 60_000)
    environment.emitWake()
    expect(environment.transports).toHaveLength(2)
  })

  it.each([true, false])('[LIVE-36] pings the connection when the machine wakes up; it answers: %s', async (lives) => {
    await connect()
    environment.emitWake()
    await environment.advance(4_999)
    if (lives) environment.transport.answer('userConnected', { success: true })
    await environment.advance(1)
    expect(status()).toBe(lives ? 'connected' : 'reconnecting')
    expect(environment.transports[0]?.isOpen).toBe(lives)
  })

  it('ignores events of a closed transport', async () => {
    live.start(100, environment.now())
    const [first] = environment.transports
    await environment.advance(36_000)
    await greet()
    first?.accept()
    first?.receive([Kind.ephemeral, 'duplicateConnection', { message: '' }])
    first?.drop(CloseCode.banned)
    expect(status()).toBe('connected')
  })
})

describe('close codes', () => {
  it.each([CloseCode.rateLimited, CloseCode.shuttingDown, CloseCode.frameTooLarge, 1001, 1006])(
    'reconnects with its cursor after %i',
    async (code) => {
      await connect()
      environment.transport.drop(code)
      expect(status()).toBe('reconnecting')
      await environment.advance(6_000)
      await greet()
      expect(status()).toBe('connected')
    },
  )

  it('reports 4400 and reconnects once', async () => {
    await connect()
    environment.transport.drop(CloseCode.badFrame)
    await environment.advance(6_000)
    await greet()
    environment.transport.drop(CloseCode.badFrame)
    expect(status()).toBe('unreachable')
    expect(environment.reportedErrors).toHaveLength(2)
    live.retryNow()
    await greet()
    environment.transport.drop(CloseCode.badFrame)
    expect(status()).toBe('reconnecting')
  })

  it('[LIVE-13] refreshes the token after 4401 and reconnects with it at once', async () => {
    await connect()
    environment.transport.drop(CloseCode.notSignedIn)
    await flushPromises()
    environment.transport.accept()
    expect(environment.transport.request('hello').input.token).toBe('token 1')
    await greet()
    environment.transport.drop(CloseCode.notSignedIn)
    await flushPromises()
    expect(session.refreshCount).toBe(2)
    expect(session.endMessages).toEqual([])
  })

  it('[LIVE-13] logs out when a new token is refused too, or cannot be refreshed', async () => {
    await connect()
    environment.transport.drop(CloseCode.notSignedIn)
    await flushPromises()
    environment.transport.accept()
    environment.transport.refuse('hello', { code: 'SessionEnded', message: 'Oturumun sona erdi.' })
    await flushPromises()
    expect(session.endMessages).toEqual(['Oturumun sona erdi.'])
    expect(environment.transports).toHaveLength(2)
  })

  it('waits for a new token on every wake-up, and for nothing after the session ended', async () => {
    await connect()
    const refreshes: ((outcome: 'refreshed') => void)[] = []
    session.refreshOutcome = new Promise((resolve) => refreshes.push(resolve))
    environment.transport.drop(CloseCode.notSignedIn)
    environment.emitWake()
    live.retryNow()
    expect(environment.transports).toHaveLength(1)
    session.end()
    for (const refreshed of refreshes) refreshed('refreshed')
    await environment.advance(60_000)
    expect(environment.transports).toHaveLength(1)
    expect(status()).toBe('ended')
  })

  it('[LIVE-13] logs out when the server refuses a new token', async () => {
    await connect()
    session.refreshOutcome = 'refused'
    environment.transport.drop(CloseCode.notSignedIn)
    await flushPromises()
    expect(session.endMessages).toHaveLength(1)
    expect(status()).toBe('ended')
  })

  it('retries later when the token could not be refreshed without a network', async () => {
    await connect()
    session.refreshOutcome = 'unreachable'
    environment.transport.drop(CloseCode.notSignedIn)
    await flushPromises()
    expect(status()).toBe('reconnecting')
    session.refreshOutcome = 'refreshed'
    await environment.advance(6_000)
    environment.transport.accept()
    environment.transport.refuse('hello', { code: 'SessionEnded', message: '' })
    await flushPromises()
    await greet()
    expect(status()).toBe('connected')
  })

  it('[MOD-17] ends a banned session with the ban shown', async () => {
    await connect()
    environment.transport.drop(CloseCode.banned)
    expect(session.endMessages).toEqual(['Siteden yasaklandın.'])
    await environment.advance(60_000)
    expect(environment.transports).toHaveLength(1)
  })

  it('[MOD-17] shows the reason of a ban, at the ban and at the next connection', async () => {
    await connect()
    const message = 'Siteden yasaklandın. Sebep: Diğer.'
    const payload = { message, banReason: 'Diğer', duration: 'indefinite', endsAt: null }
    environment.transport.receive([Kind.event, 101, 'systemBannedNotification', payload])
    expect(session.endMessages[0]).toBe(message)

    const again = new LiveClient(environment, session)
    again.start(100, environment.now())
    environment.transport.accept()
    environment.transport.refuse('hello', { code: 'Banned', message: 'Hâlâ yasaklısınız.' })
    await flushPromises()
    expect(session.endMessages.at(-1)).toBe('Hâlâ yasaklısınız.')
  })

  it('[MOD-18] keeps the page during maintenance, also over a lost connection, and continues after it', async () => {
    await connect()
    const tell = (isOn: boolean) =>
      environment.transport.receive([Kind.ephemeral, 'serverMaintenance', { isOn, message: isOn ? 'Bakımda.' : '' }])
    tell(true)
    expect(live.connection.value).toMatchObject({ status: 'maintenance', message: 'Bakımda.' })
    environment.transport.drop(CloseCode.shuttingDown)
    expect(status()).toBe('reconnecting')
    await environment.advance(6_000)
    await greet()
    tell(true)
    expect(status()).toBe('maintenance')
    const connected: boolean[] = []
    live.onConnected((resumed) => connected.push(resumed))
    tell(false)
    expect([status(), connected]).toEqual(['connected', [true]])
  })

  it('[ACC-60] [MOD-18] follows a changed role, by event or at the next hello', async () => {
    await connect()
    const maintain = () =>
      environment.transport.receive([Kind.ephemeral, 'serverMaintenance', { isOn: true, message: 'Bakımda.' }])
    environment.transport.receive([Kind.event, 101, 'userProfileUpdated', { user: { ...ADA, role: 'rootadmin' } }])
    maintain()
    expect([session.role, status()]).toEqual(['rootadmin', 'connected'])
    environment.transport.drop(CloseCode.shuttingDown)
    await environment.advance(6_000)
    await greet()
    maintain()
    expect([session.role, status()]).toEqual(['guest', 'maintenance'])
  })

  it("[ACC-41] [ACC-60] reports the own user's present data when missed events are not replayed", async () => {
    await connect()
    const notified: string[] = []
    live.on('userProfileUpdated', ({ user }) => notified.push(user.username))
    for (const resumed of [true, false]) {
      environment.transport.drop()
      await environment.advance(6_000)
      await greet({ resumed })
    }
    expect(notified).toEqual(['ada'])
  })

  it('[MOD-18] does not stop root admins', async () => {
    live.start(100, environment.now())
    environment.transport.accept()
    const user = { ...ADA, role: 'rootadmin' as const }
    environment.transport.answer('hello', { user, cursor: 100, resumed: true, serverTime: 0 })
    await flushPromises()
    environment.transport.receive([Kind.event, 101, 'serverMaintenance', { isOn: true, message: 'Bakımda.' }])
    expect(status()).toBe('connected')
  })

  it('[LIVE-27] goes to the landing page, still signed in, when another connection replaced it', async () => {
    await connect()
    environment.transport.drop(CloseCode.replaced)
    expect([session.returnsHome, session.endMessages]).toEqual([1, []])
    expect(status()).toBe('ended')
  })

  it('[LIVE-26] shows the message of a shutdown until it reconnects', async () => {
    await connect()
    environment.transport.receive([Kind.ephemeral, 'serverShutdown', { message: 'Birazdan döneceğiz.' }])
    expect(live.connection.value).toMatchObject({ status: 'connected', message: 'Birazdan döneceğiz.' })
    environment.transport.drop(CloseCode.shuttingDown)
    expect(live.connection.value).toMatchObject({ status: 'reconnecting', message: 'Birazdan döneceğiz.' })
    await environment.advance(6_000)
    await greet()
    expect(live.connection.value).toEqual({ status: 'connected', attempt: 0 })
  })

  it('[LIVE-35] offers a reload after a shutdown, and after no other close', async () => {
    await connect()
    environment.transport.drop()
    await environment.advance(6_000)
    await greet()
    expect(live.reloadReason.value).toBeNull()
    environment.transport.receive([Kind.ephemeral, 'serverShutdown', { message: '' }])
    environment.transport.drop(CloseCode.shuttingDown)
    expect(live.reloadReason.value).toBeNull()
    await environment.advance(6_000)
    await greet()
    expect(live.reloadReason.value).toBe('restarted')
    live.reloadReason.value = null
    environment.transport.drop()
    await environment.advance(6_000)
    await greet()
    expect(live.reloadReason.value).toBeNull()
  })
})

describe('two connections', () => {
  it('[ACC-24] show the duplicate overlay, also when the event comes in one frame with hello', async () => {
    live.start(100, environment.now())
    environment.transport.accept()
    environment.transport.receive(
      [Kind.answer, 1, { user: ADA, cursor: 100, resumed: true, serverTime: 0 }],
      [Kind.ephemeral, 'duplicateConnection', { message: 'Zaten bağlısınız.' }],
    )
    await flushPromises()
    expect(live.connection.value).toEqual({ status: 'duplicate', attempt: 0 })
    environment.transport.receive([Kind.ephemeral, 'duplicateConnectionResolved', {}])
    expect(status()).toBe('connected')
  })

  it('[ACC-25] end the older one on request and go to the landing page', async () => {
    await connect()
    await endOlderConnection(live, () => session.returnHome())
    environment.transport.receive([Kind.ephemeral, 'duplicateConnection', { message: '' }])
    void endOlderConnection(live, () => session.returnHome())
    expect(environment.transport.request('confirmDuplicateConnection').input).toEqual({ action: 'disconnect_old' })
    environment.transport.answer('confirmDuplicateConnection', { success: true })
    await flushPromises()
    expect([session.returnsHome, status()]).toEqual([1, 'ended'])
  })

  it('[ACC-130] end the older one and open the same page again', async () => {
    await connect()
    environment.transport.receive([Kind.ephemeral, 'duplicateConnection', { message: '' }])
    void endOlderConnection(live, () => session.enterAgain())
    expect(environment.transport.request('confirmDuplicateConnection').input).toEqual({ action: 'disconnect_old' })
    environment.transport.answer('confirmDuplicateConnection', { success: true })
    await flushPromises()
    expect([session.entersAgain, session.returnsHome]).toEqual([1, 0])
  })

  it('[ACC-25] stay on the page when the request is refused or the connection is lost', async () => {
    await connect()
    environment.transport.receive([Kind.ephemeral, 'duplicateConnection', { message: '' }])
    void endOlderConnection(live, () => session.returnHome())
    environment.transport.refuse('confirmDuplicateConnection', {
      code: 'Failed',
      message: 'Beklenmeyen bir hata oluştu.',
    })
    await flushPromises()
    expect(live.connection.value).toMatchObject({ status: 'duplicate', message: 'Beklenmeyen bir hata oluştu.' })
    void endOlderConnection(live, () => session.returnHome())
    environment.transport.drop()
    await flushPromises()
    expect(live.connection.value).toEqual({ status: 'reconnecting', attempt: 1 })
    expect(session.returnsHome).toBe(0)
  })

  it('end although hello was answered in the same frame, and receive nothing after it', async () => {
    let received = 0
    live.on('activeUsersCount', () => received++)
    live.start(100, environment.now())
    environment.transport.accept()
    environment.transport.receive(
      [Kind.answer, 1, { user: ADA, cursor: 100, resumed: true, serverTime: 0 }],
      [Kind.event, 101, 'forceDisconnect', { message: 'Oturumun kapatıldı.' }],
      [Kind.ephemeral, 'activeUsersCount', { count: 1 }],
    )
    await flushPromises()
    expect([status(), received]).toEqual(['ended', 0])
  })

  it('do not reconnect when the session ends meanwhile', async () => {
    await connect()
    environment.transport.drop()
    session.end()
    await environment.advance(60_000)
    expect(environment.transports).toHaveLength(1)
  })

  it('[ACC-25] leave with the reason when the newer one was chosen', async () => {
    await connect()
    environment.transport.receive([Kind.event, 101, 'forceDisconnect', { message: 'Başka bir yerde devam ediyor.' }])
    expect(session.endMessages).toEqual(['Başka bir yerde devam ediyor.'])
    expect(live.connection.value).toMatchObject({ status: 'ended', message: 'Başka bir yerde devam ediyor.' })
    expect(environment.transport.isOpen).toBe(false)
    environment.emitWake()
    live.retryNow()
    await environment.advance(60_000)
    expect(environment.transports).toHaveLength(1)
  })
})

describe('a session with another id', () => {
  const replaced = (isRenewable: boolean) =>
    environment.transport.receive([Kind.event, 101, 'sessionReplaced', { sessionId: 7, isRenewable }])
  const shownTokens = () =>
    environment.transport.sent.filter(([, , name]) => name === 'userConnected').map(([, , , input]) => input)

  it('[ACC-81] goes on with the new token on the open connection, and shows each token once', async () => {
    await connect()
    replaced(false)
    expect(session.refreshCount).toBe(0)
    session.refreshCount = 1 // another tab has stored another token
    for (let times = 0; times < 2; times++) for (const onToken of session.tokenListeners) onToken()
    expect(shownTokens()).toEqual([{ token: 'token 1' }])
    expect(environment.transports).toHaveLength(1)
  })

  it('[ACC-81] fetches the new token when only a refresh brings it', async () => {
    await connect()
    replaced(true)
    expect(session.refreshCount).toBe(1)
    expect(session.endMessages).toEqual([])
  })
})
