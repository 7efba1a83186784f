import { beforeEach, describe, expect, it } from 'vitest'
import { Kind, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { typingIndicatorOf } from '../../model/conversation/composer/typing-indicator.ts'
import { MessageSearch } from '../../model/conversation/search/message-search.ts'
import { createMessage, createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { roomSearchSource } from './search/room-search.ts'

const CAN = 2
const DENIZ = 3
const quoteOf = ({ id, content, senderId, senderUsername }: Message) => ({ id, content, senderId, senderUsername })

let environment: FakeEnvironment
let client: RoomHarness
let room: Message[]
let lastSeq: number
beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  lastSeq = 200
  room = roomOf(200)
})

/** Even ids are Can's; each odd one is Deniz', who answers him. */
function roomOf(count: number): Message[] {
  const sentMessages: Message[] = []
  for (let id = 1; id <= count; id++) {
    const before = sentMessages.at(-1)
    const senderId = id % 2 ? DENIZ : CAN
    sentMessages.push(
      createMessage(id, { senderId, ...(senderId === DENIZ && before && { replyTo: quoteOf(before) }) }),
    )
  }
  return sentMessages
}

const change = (name: 'userBlocked' | 'userUnblocked', blockerId: number, blockedId: number): ServerValue => [
  Kind.event,
  ++lastSeq,
  name,
  { blockerUsername: 'biri', blockedUsername: 'öteki', message: '', blockerId, blockedId },
]
const shown = () => client.conversation.bubbles.value
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const ids = () => shown().map(({ id }) => id)
const quotes = () => shown().flatMap(({ replyTo }) => (replyTo ? [replyTo.content] : []))

/** Answers pending requests for messages, and requests that follow, as the server would. */
async function serve(messages = room): Promise<void> {
  await flushPromises()
  for (let from = 0; from < environment.transport.sent.length; from++) {
    const value = environment.transport.sent[from]
    if (value?.[0] !== Kind.request || value[2] !== 'getMessages' || done.has(value[1])) continue
    done.add(value[1])
    environment.transport.receive(pageFor(value[1], value[3], messages))
    await flushPromises()
  }
}
let done: Set<number>
beforeEach(() => {
  done = new Set()
})

function pageFor(id: number, { before, after }: { before?: number; after?: number }, messages: Message[]): ServerValue {
  const beyond = messages.filter((one) => (after ? one.id > after : one.id < (before ?? Number.POSITIVE_INFINITY)))
  const page = after ? beyond.slice(0, 40) : beyond.slice(-40)
  return [Kind.answer, id, { roomId: 1, messages: page, more: beyond.length > page.length }]
}

describe('blocking a user', () => {
  it('[REL-16] removes their messages and quotes of them at once, and nothing else', async () => {
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    environment.transport.receive(change('userBlocked', ADA.id, CAN))
    expect(ids()).toEqual(
      room
        .slice(-40)
        .filter(({ senderId }) => senderId === DENIZ)
        .map(({ id }) => id),
    )
    expect(new Set(quotes())).toEqual(new Set([null]))
    expect(environment.transport.count('getMessages')).toBe(0)
  })

  it('[REL-09] [REL-16] changes nothing for the blocked user', async () => {
    const own = createMessage(201, { senderId: ADA.id })
    await client.openRoom(createRoomPage({ messages: [...room.slice(-3), own] }))
    const before = shown()
    environment.transport.receive(change('userBlocked', CAN, ADA.id))
    expect(shown()).toEqual(before)
  })

  it('[REL-09] keeps the search results of the blocked user without a new request', async () => {
    const search = new MessageSearch(environment, client.live, roomSearchSource(client.live))
    search.subscribe()
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    search.setText('mesaj')
    await environment.advance(1_000)
    environment.transport.answer('searchMessages', { roomId: 1, messages: [createMessage(201, { senderId: ADA.id })] })
    await flushPromises()
    const before = search.state.value
    environment.transport.receive(change('userBlocked', CAN, ADA.id), change('userUnblocked', CAN, ADA.id))
    await flushPromises()
    expect(search.state.value).toBe(before)
    const requestCounts = ['searchMessages', 'getMessages'].map((name) => environment.transport.count(name))
    expect(requestCounts).toEqual([1, 0])
  })

  it('[REL-16] removes them from the typing indicator and from search results', async () => {
    const hint = typingIndicatorOf(client.conversation)
    const search = new MessageSearch(environment, client.live, roomSearchSource(client.live))
    search.subscribe()
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    const users = [CAN, DENIZ].map((id) => ({ id, username: `kişi${id}` }))
    environment.transport.receive([Kind.ephemeral, 'typing', { roomId: 1, users }])
    search.setText('mesaj')
    await environment.advance(1_000)
    environment.transport.answer('searchMessages', { roomId: 1, messages: room.slice(-2) })
    await flushPromises()
    expect(search.state.value).toMatchObject({ messages: [{ senderId: DENIZ }, { senderId: CAN }] })

    environment.transport.receive(change('userBlocked', ADA.id, CAN))
    expect(hint.typists.value).toMatchObject([{ id: DENIZ }])
    expect(JSON.stringify(search.state.value)).not.toContain('"senderId":2')
    await flushPromises()
    const quoting = { ...room[198], replyTo: { id: 198, content: null, senderId: null, senderUsername: null } }
    environment.transport.answer('searchMessages', { roomId: 1, messages: [quoting] })
    await flushPromises()
    expect(search.state.value).toMatchObject({ is: 'found', messages: [quoting] })
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    await flushPromises()
    expect(environment.transport.count('searchMessages')).toBe(3)
  })

  it('[REL-16] filters a history page that was answered just before the block', async () => {
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    const older = client.historyLoader.loadOlder()
    const { id } = environment.transport.request('getMessages')
    done.add(id)
    environment.transport.receive(pageFor(id, { before: 161 }, room), change('userBlocked', ADA.id, CAN))
    await older
    await flushPromises()
    expect(ids()).toEqual(range(121, 200).filter((each) => each % 2 === 1))
    expect(environment.transport.count('getMessages')).toBe(1)
  })

  it('[REL-16] filters the first of two pages that are shown together', async () => {
    await client.openRoom(createRoomPage({ messages: room.slice(-40) }))
    const there = client.historyLoader.loadAround(41)
    const { id } = environment.transport.request('getMessages')
    environment.transport.receive(pageFor(id - 1, { before: 42 }, room))
    await flushPromises()
    environment.transport.receive(change('userBlocked', ADA.id, CAN))
    const deniz = room.filter(({ senderId }) => senderId === DENIZ)
    done.add(id - 1)
    await serve(deniz)
    await there
    expect(ids().filter((each) => each && each % 2 === 0)).toEqual([])
    expect(ids()).toContain(41)
  })

  it('[LIVE-38] [MOD-10] removes missed messages of a ban in the same frame', async () => {
    client.roomSubscription.openPage(createRoomPage({ messages: room.slice(-40) }))
    await client.answerHello()
    const missed = createMessage(202, { senderId: CAN })
    environment.transport.receive(
      [
        Kind.answer,
        environment.transport.request('joinRoom').id,
        { room: createRoomPage().room, cursor: 202, missed: [[Kind.event, 202, 'message', missed]] },
      ],
      [Kind.event, 203, 'removeBannedMessages', { roomId: 1, userId: CAN }],
    )
    await flushPromises()
    expect(new Set(shown().map(({ sender }) => sender.id))).toEqual(new Set([DENIZ]))
  })
})

describe('lifting a block', () => {
  const deniz = () => room.filter(({ senderId }) => senderId === DENIZ)

  it('[REL-17] restores their latest messages and quotes, as on a fresh page', async () => {
    await client.openRoom(createRoomPage({ messages: deniz().slice(-40) }))
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    await serve()
    expect(ids()).toEqual(room.slice(-40).map(({ id }) => id))
    expect(quotes()).not.toContain(null)
    expect(environment.transport.count('getMessages')).toBe(1)
  })

  it('[REL-17] restores messages before all others in a short room', async () => {
    room = room.slice(1, 6) // Can speaks first
    await client.openRoom(createRoomPage({ messages: deniz() }))
    expect(client.conversation.store.scrollback.value.isAtStart).toBe(true)
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    await serve()
    expect(ids()).toEqual(room.map(({ id }) => id))
    expect(client.conversation.store.scrollback.value.isAtStart).toBe(true)
  })

  it('[REL-17] restores messages around the view of a reader further up', async () => {
    await client.openRoom(createRoomPage({ messages: deniz().slice(-40) }))
    const older = client.historyLoader.loadOlder()
    await serve(deniz())
    await older
    const first = ids()[0] ?? 0
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    await serve()
    expect(ids()).toEqual(room.filter(({ id }) => id >= first).map(({ id }) => id))
    expect(client.conversation.store.scrollback.value).toMatchObject({ isOpen: true, isAtStart: false })
  })

  it('[REL-16] [REL-17] restores nothing of a user who is blocked again meanwhile', async () => {
    await client.openRoom(createRoomPage({ messages: deniz().slice(-40) }))
    const older = client.historyLoader.loadOlder()
    await serve(deniz())
    await older
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    const { id } = environment.transport.request('getMessages')
    done.add(id)
    environment.transport.receive(pageFor(id, {}, room))
    await flushPromises()
    environment.transport.receive(change('userBlocked', ADA.id, CAN))
    await serve(deniz())
    expect(new Set(shown().map(({ sender }) => sender.id))).toEqual(new Set([DENIZ]))
  })

  it('[REL-17] keeps the gap between older messages in view and the latest', async () => {
    room = roomOf(400)
    await client.openRoom(createRoomPage({ messages: deniz().slice(-40) }))
    const there = client.historyLoader.loadAround(41)
    await serve(deniz())
    await there
    const { gapAfterId } = client.conversation.store.scrollback.value
    expect(gapAfterId).not.toBeNull()
    const [first, last] = [ids()[0] ?? 0, ids().at(-1) ?? 0]
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    await serve()
    expect(client.conversation.store.scrollback.value.gapAfterId).toBe(gapAfterId)
    expect(ids()).toEqual(room.filter(({ id }) => id >= first && id <= last).map(({ id }) => id))
    const latest = client.conversation.latest.value.map(({ id }) => id)
    expect(latest.slice(-40)).toEqual(room.slice(-40).map(({ id }) => id))
  })

  it('[REL-17] restores once after a lost connection', async () => {
    await client.openRoom(createRoomPage({ messages: deniz().slice(-40) }))
    environment.transport.receive(change('userUnblocked', ADA.id, CAN))
    environment.transport.drop()
    await environment.advance(6_500)
    await client.answerHello({ roomId: 1 })
    await environment.advance(3_000)
    await serve()
    expect(ids()).toEqual(room.slice(-40).map(({ id }) => id))
    const requestCounts = environment.transport.count('getMessages')
    await environment.advance(10_000)
    expect(environment.transport.count('getMessages')).toBe(requestCounts)
  })
})
