import { beforeEach, describe, expect, it } from 'vitest'
import type { ConversationEntry } from '../../../../shared/direct-messages/message.ts'
import type { RouteAnswer } from '../../../../shared/protocol/catalogue.ts'
import { Kind, type Payload } from '../../../../shared/protocol/frame.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { ADA } from '../../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../../model/room-chat/testing/room-harness.ts'
import { ConversationList } from './conversation-list.ts'

type ConversationPage = RouteAnswer<'conversations'>

const START_MS = Date.parse('2026-01-01T11:00:00Z')
let environment: FakeEnvironment
let client: RoomHarness
let list: ConversationList
/** Requests of the list, answered by hand. */
let requests: { before: number | null; answer: (page: Result<ConversationPage>) => Promise<void> }[]
let seq: number

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  requests = []
  seq = 100
  list = new ConversationList(client.live, (before) => {
    const { promise, resolve } = Promise.withResolvers<Result<ConversationPage>>()
    const answer = async (page: Result<ConversationPage>): Promise<void> => {
      resolve(page)
      await flushPromises()
    }
    requests.push({ before, answer })
    return promise
  })
  await client.openRoom(createRoomPage())
})

/** A conversation whose last message is a received one that is not read. */
function entry(id: number, lastMessageId: number, changes: Partial<ConversationEntry> = {}): ConversationEntry {
  return {
    id,
    username: `kişi${id}`,
    avatarUrl: null,
    gender: null,
    isGuest: false,
    isOnline: true,
    lastMessage: `Söz ${lastMessageId}`,
    lastMessageId,
    mediaType: null,
    createdAt: START_MS + lastMessageId,
    isOwn: false,
    read: false,
    unreadCount: 1,
    ...changes,
  }
}

const page = (conversations: ConversationEntry[], changes: Partial<ConversationPage> = {}): ConversationPage => ({
  success: true,
  conversations,
  next: null,
  unreadCount: conversations.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
  ...changes,
})
const receive = (name: string, payload: Payload) => environment.transport.receive([Kind.event, ++seq, name, payload])

function receiveMessage(id: number, { from, to }: { from: number; to: number }, content = `Söz ${id}`): void {
  const common = { senderGender: null, senderAvatarUrl: null, senderIsGuest: false, senderRole: 'member', read: false }
  const users = { senderId: from, senderUsername: `kişi${from}`, recipientId: to, recipientUsername: `kişi${to}` }
  const recipientInfo = { avatarUrl: null, gender: null }
  const clientId = `30000000-0000-4000-8000-${String(id).padStart(12, '0')}`
  receive('directMessage', { id, content, createdAt: START_MS + id, clientId, recipientInfo, ...common, ...users })
}
const receiveRead = (readerId: number, otherId: number, upToId: number) =>
  receive('messagesRead', { readerId, readerUsername: 'x', otherId, otherUsername: 'y', upToId })

async function load(first: ConversationPage): Promise<void> {
  void list.load(null)
  await requests.at(-1)?.answer(first)
}

describe('the list of conversations', () => {
  it('[DM-24] is after events the same as fetched anew', async () => {
    await load(page([entry(3, 30, { isOwn: true, unreadCount: 0 }), entry(2, 20)]))
    receiveMessage(31, { from: 2, to: ADA.id })
    receiveMessage(32, { from: ADA.id, to: 3 }, 'Uzun uzun yazılmış bir mesaj, otuz harften fazla')
    receiveRead(3, ADA.id, 32)
    receiveRead(ADA.id, 2, 31)
    receiveMessage(33, { from: 2, to: ADA.id })
    receive('userProfileUpdated', { user: { ...ADA, id: 3, username: 'yeni3', role: 'member', isGuest: false } })
    const stale = list.list.value
    const fresh = page([
      entry(2, 33),
      entry(3, 32, {
        username: 'yeni3',
        isOwn: true,
        read: true,
        unreadCount: 0,
        lastMessage: 'Uzun uzun yazılmış bir mesaj,…',
      }),
    ])
    expect(stale).toEqual({ items: fresh.conversations, next: null, unreadCount: 1 })
    expect(requests).toHaveLength(1)
  })

  it('[DM-24] is loaded once, page by page, and again after events were missed', async () => {
    await load(page([entry(3, 30), entry(2, 20)], { next: 20, unreadCount: 5 }))
    await list.load(null)
    expect(requests).toHaveLength(1)
    void list.load(20)
    expect(requests.at(-1)?.before).toBe(20)
    receiveMessage(40, { from: 2, to: ADA.id })
    await requests.at(-1)?.answer(page([entry(1, 10)]))
    expect(list.list.value).toMatchObject({ next: null, unreadCount: 6 })
    expect(list.list.value?.items.map(({ id }) => id)).toEqual([2, 3, 1])

    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 200 })
    expect(requests).toHaveLength(3)
    await requests.at(-1)?.answer(page([entry(7, 50)]))
    expect(list.list.value?.items.map(({ id }) => id)).toEqual([7])
  })

  it('[DM-24] applies events that overtake the answer of a request once', async () => {
    void list.load(null)
    receiveMessage(31, { from: 2, to: ADA.id })
    receiveMessage(32, { from: 2, to: ADA.id })
    await requests.at(-1)?.answer(page([entry(2, 31, { unreadCount: 2 })]))
    expect(list.list.value).toMatchObject({ items: [{ id: 2, lastMessageId: 32, unreadCount: 3 }], unreadCount: 3 })
  })

  it('[DM-24] shows a message of an unknown user at once, and fetches the rest of the entry', async () => {
    await load(page([entry(2, 20)]))
    receiveMessage(31, { from: 9, to: ADA.id })
    expect(list.list.value).toMatchObject({
      items: [{ id: 9, username: 'kişi9', unreadCount: 1 }, { id: 2 }],
      unreadCount: 2,
    })
    expect(requests).toHaveLength(2)
    await requests.at(-1)?.answer(page([entry(9, 31, { unreadCount: 4 }), entry(2, 20)]))
    expect(list.list.value).toMatchObject({ items: [{ id: 9, unreadCount: 4 }, { id: 2 }], unreadCount: 5 })
    expect(requests).toHaveLength(2)
  })

  it('[DM-24] fetches how many messages are unread after the viewer has read some of those before an own one', async () => {
    await load(page([entry(2, 20, { unreadCount: 2 })]))
    receiveMessage(21, { from: ADA.id, to: 2 })
    receiveRead(ADA.id, 2, 19)
    expect(requests).toHaveLength(2)
    await requests.at(-1)?.answer(page([entry(2, 21, { isOwn: true, unreadCount: 1 })]))
    expect(list.list.value).toMatchObject({ items: [{ isOwn: true, read: false, unreadCount: 1 }], unreadCount: 1 })
  })

  it('[DM-25] drops a conversation that is hidden or gone, with its unread messages', async () => {
    await load(page([entry(3, 30), entry(2, 20, { unreadCount: 4 }), entry(1, 10)]))
    receiveRead(ADA.id, 2, 20)
    receive('conversationHidden', { username: 'kişi2', userId: 2 })
    expect(list.list.value).toMatchObject({ items: [{ id: 3 }, { id: 1 }], unreadCount: 2 })
    receive('dmCleared', { username: 'kişi3', userId: 3 })
    expect(list.list.value).toMatchObject({ items: [{ id: 1 }], unreadCount: 1 })
    list.drop(1)
    expect(list.list.value).toMatchObject({ items: [], unreadCount: 0 })
  })

  it('returns the text of a failed load, and loads at the next call', async () => {
    const failed = list.load(null)
    await requests.at(-1)?.answer('disconnected')
    expect(await failed).toBe('DM kullanıcılarını yüklerken hata oluştu.')
    void list.load(null)
    await requests.at(-1)?.answer(page([]))
    expect(list.list.value?.items).toEqual([])
  })
})
