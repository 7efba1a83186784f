import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../../../shared/protocol/frame.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import type { Message } from '../../../../shared/room-chat/message.ts'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { createMessage, createRoomPage, RoomHarness } from '../../room-chat/testing/room-harness.ts'
import type { HistoryLoader } from './history-loader.ts'
import { MAX_SHOWN, SHOWN_AFTER_TRIM } from './history-pages.ts'

const LAST = 2000

let environment: FakeEnvironment
let client: RoomHarness
let history: HistoryLoader
/** What the server has. */
let room: Message[]
let lastSeq: number

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  history = client.historyLoader
  room = Array.from({ length: LAST }, (_, index) => createMessage(index + 1))
  lastSeq = 200
  await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
})

const ids = () => client.conversation.bubbles.value.map(({ id }) => id ?? 0)
const past = () => client.conversation.store.scrollback.value
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Answers the request for messages with this id as the server would. */
function answer(id: number, { before, after }: { before?: number; after?: number }): void {
  const side =
    after === undefined
      ? room.filter((message) => message.id < (before ?? Number.POSITIVE_INFINITY)).slice(-40)
      : room.filter((message) => message.id > after).slice(0, 40)
  const end = after === undefined ? room[0] : room.at(-1)
  const more = side.length > 0 && !side.includes(end as Message)
  environment.transport.receive([Kind.answer, id, { roomId: 1, messages: side, more }])
}

/** Answers every request that waits for messages. */
let answered = 0
async function serve(): Promise<void> {
  const requests = environment.transport.sent.filter((value) => value[0] === Kind.request && value[2] === 'getMessages')
  for (const value of requests.slice(answered)) {
    if (value[0] === Kind.request) answer(value[1], value[3])
  }
  answered = requests.length
  await flushPromises()
}

async function done(way: Promise<string | null>): Promise<string | null> {
  await flushPromises()
  await serve()
  return way
}

function say(message: Partial<Message> = {}): void {
  const sent = createMessage((room.at(-1)?.id ?? 0) + 1, message)
  room.push(sent)
  environment.transport.receive([Kind.event, ++lastSeq, 'message', sent])
}

beforeEach(() => {
  answered = 0
})

it('[CHAT-39] keeps older messages when new ones arrive while the reader is scrolled up', async () => {
  client.conversation.store.enterScrollback()
  for (let n = 0; n < 100; n++) say()
  await flushPromises()
  expect(ids()).toEqual(range(LAST - 39, LAST + 100))
  client.conversation.store.leaveScrollback()
  expect(ids()).toEqual(range(LAST + 61, LAST + 100))
})

describe('the scrollback', () => {
  it('[CHAT-36] adds older messages above, and shows the latest 40 again at the end', async () => {
    expect(past()).toEqual({ isOpen: false, showsOlder: false, gapAfterId: null, isAtStart: false })
    expect(await done(history.loadOlder())).toBeNull()
    expect(await done(history.loadOlder())).toBeNull()
    expect(ids()).toEqual(range(LAST - 119, LAST))
    say()
    expect(ids()).toEqual(range(LAST - 119, LAST + 1))
    client.conversation.store.leaveScrollback()
    expect(ids()).toEqual(range(LAST - 38, LAST + 1))
    expect(past()).toEqual({ isOpen: false, showsOlder: false, gapAfterId: null, isAtStart: false })
  })

  it('[CHAT-30] ends at the start of the room, which a short page implies', async () => {
    room = room.slice(-60)
    await done(history.loadOlder())
    expect([ids().length, past().isAtStart]).toEqual([60, true])
    client.conversation.store.leaveScrollback()
    expect(past().isAtStart).toBe(false)
    await client.openRoom(createRoomPage({ roomId: 2, messages: [createMessage(1, { roomId: 2 })] }))
    expect(past()).toEqual({ isOpen: false, showsOlder: false, gapAfterId: null, isAtStart: true })
    for (let id = 2; id <= 41; id++) {
      environment.transport.receive([Kind.event, ++lastSeq, 'message', createMessage(id, { roomId: 2 })])
    }
    expect([ids().length, past().isAtStart]).toEqual([40, false])
  })

  it('[CHAT-37] opens around one message, and loads in both directions up to the latest', async () => {
    expect(await done(history.loadAround(1900))).toBeNull()
    expect(ids()).toEqual(range(1861, 1940))
    expect(past()).toEqual({ isOpen: true, showsOlder: true, gapAfterId: 1940, isAtStart: false })
    say()
    expect(ids()).toEqual(range(1861, 1940))
    expect(client.conversation.latest.value.at(-1)?.id).toBe(LAST + 1)
    await done(history.loadOlder())
    expect(ids()).toEqual(range(1821, 1940))
    await done(history.loadNewer())
    expect(ids()).toEqual(range(1821, LAST + 1))
    expect(past().gapAfterId).toBeNull()
    expect(await done(history.loadAround(1900))).toBeNull()
    expect(environment.transport.count('getMessages')).toBe(4)
  })

  it('[CHAT-37] reports that a message was removed', async () => {
    room = room.filter(({ id }) => id !== 77)
    expect(await done(history.loadAround(77))).toBe('Bu mesaj artık görünmüyor.')
    expect(ids()).toEqual(range(LAST - 39, LAST))
  })

  it('[CHAT-16] returns to the latest messages when the user sends one', async () => {
    await done(history.loadAround(100))
    expect(client.shownTexts()).not.toContain(`Mesaj ${LAST}`)
    client.conversation.send('buradayım')
    expect(client.shownTexts().at(-1)).toBe('Buradayım…')
    expect(client.shownTexts()).toHaveLength(41)
  })

  it('[CHAT-31] drops removed messages', async () => {
    room = room.map((message) => (message.id % 2 ? message : { ...message, senderId: 9, senderUsername: 'lale' }))
    environment = new FakeEnvironment()
    client = new RoomHarness(environment)
    history = client.historyLoader
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    await done(history.loadAround(100))
    environment.transport.receive([
      Kind.event,
      ++lastSeq,
      'removeBannedMessages',
      { roomId: 1, userId: 9, username: 'lale' },
    ])
    expect(ids()).toEqual(range(61, 140).filter((id) => id % 2 === 1))
    expect(client.conversation.latest.value).toHaveLength(20)
  })

  it('[CHAT-36] [CHAT-39] keeps the 400 messages around the view when it has more than 800', async () => {
    const { store } = client.conversation
    for (let page = 0; page < 20; page++) {
      store.setAnchor(ids()[0] ?? 0)
      await done(history.loadOlder())
    }
    expect(ids()).toEqual(range(LAST - 839, LAST - 840 + SHOWN_AFTER_TRIM))
    expect(past().gapAfterId).toBe(LAST - 840 + SHOWN_AFTER_TRIM)
    for (let page = 0; page < 11; page++) {
      store.setAnchor(ids().at(-1) ?? 0)
      await done(history.loadNewer())
    }
    expect(ids()).toEqual(range(LAST - SHOWN_AFTER_TRIM + 1, LAST))
    expect(past()).toEqual({ isOpen: true, showsOlder: true, gapAfterId: null, isAtStart: false })

    while (ids().length < MAX_SHOWN) say()
    const last = room.length
    store.setAnchor(last - 20)
    say()
    expect(ids()).toEqual(range(last + 2 - SHOWN_AFTER_TRIM, last + 1))
    expect(past().gapAfterId).toBeNull()
    const [first = 0] = ids()
    store.setAnchor(first + 20)
    while (past().gapAfterId === null) say()
    expect(ids()).toEqual(range(first, first + SHOWN_AFTER_TRIM - 1))
    expect(client.conversation.latest.value.map(({ id }) => id)).toEqual(
      range(first + MAX_SHOWN - 39, first + MAX_SHOWN),
    )
  })

  it('waits as long as a refusal demands, and reports other failures', async () => {
    const way = history.loadOlder()
    await flushPromises()
    environment.transport.refuse('getMessages', refuse('RateLimited', { waitMs: 700 }).body)
    await flushPromises()
    expect(environment.transport.count('getMessages')).toBe(1)
    await environment.advance(700)
    answered = 1
    expect(await done(way)).toBeNull()
    expect(ids()).toHaveLength(80)
    const cut = history.loadOlder()
    await flushPromises()
    environment.transport.drop()
    expect(await cut).toBe('Mesajlar yüklenemedi. Bağlantını kontrol edip tekrar dene.')
    expect(ids()).toHaveLength(80)
  })

  it('drops a page that arrives after the reader moved away', async () => {
    const late = history.loadOlder()
    await flushPromises()
    client.conversation.store.leaveScrollback()
    expect(await done(late)).toBeNull()
    expect(ids()).toEqual(range(LAST - 39, LAST))
    const far = history.loadOlder()
    await flushPromises()
    await client.openRoom(createRoomPage({ roomId: 2 }))
    expect(await done(far)).toBeNull()
    expect(ids()).toEqual([])
  })

  it('[ROOM-08] is dropped when the room is loaded again', async () => {
    await done(history.loadAround(100))
    environment.transport.receive([Kind.ephemeral, 'resync', {}])
    await client.answerJoin({ cursor: 300 })
    environment.transport.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: room.slice(-40) }])
    expect(ids()).toEqual(range(LAST - 39, LAST))
    expect(past().isOpen).toBe(false)
  })

  it('[CHAT-36] shows no gap and no message twice, for any path of the reader', async () => {
    const step = fc.oneof(fc.constantFrom('older', 'newer', 'end', 'say'), fc.integer({ min: 1, max: LAST }))
    const go = async (each: string | number): Promise<void> => {
      if (each === 'older' || each === 'newer') await done(each === 'older' ? history.loadOlder() : history.loadNewer())
      else if (each === 'end') client.conversation.store.leaveScrollback()
      else if (each === 'say') say()
      else await done(history.loadAround(Number(each)))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const each of steps) {
          await go(each)
          const shown = ids()
          const last = room.at(-1)?.id
          expect(shown).toEqual(range(shown[0] ?? 0, shown.at(-1) ?? 0))
          expect(shown.length).toBeLessThanOrEqual(MAX_SHOWN)
          if (past().gapAfterId === null) expect(shown.at(-1)).toBe(last)
          expect(client.conversation.latest.value.at(-1)?.id).toBe(last)
        }
      }),
      { numRuns: 30 },
    )
  })
})
