import { beforeEach, describe, expect, it } from 'vitest'
import { createPerson } from '../../../../shared/accounts/testing/person-fixture.ts'
import { Kind } from '../../../../shared/protocol/frame.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { MessageSearch } from '../../../model/conversation/search/message-search.ts'
import { createMessage, RoomHarness } from '../../../model/room-chat/testing/room-harness.ts'
import { roomSearchSource } from './room-search.ts'

let environment: FakeEnvironment
let client: RoomHarness
let search: MessageSearch

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  search = new MessageSearch(environment, client.live, roomSearchSource(client.live))
  await client.openRoom()
})

const answer = async (ids: number[], before?: number): Promise<void> => {
  const messages = ids.map((id) => createMessage(id))
  environment.transport.answer('searchMessages', { roomId: 1, messages, ...(before && { before }) })
  await flushPromises()
}
const requestCount = () => environment.transport.count('searchMessages')
const input = () => environment.transport.request('searchMessages').input
const ids = () => {
  const state = search.state.value
  return state.is === 'found' ? state.messages.map(({ id }) => id) : state.is
}
const found = () => {
  const state = search.state.value
  return state.is === 'found' ? [state.messages.map(({ id }) => id), state.next?.is ?? null] : state.is
}

describe('a search', () => {
  it('[CHAT-33] waits for a pause in typing and for two letters', async () => {
    expect(found()).toBe('empty')
    search.setText('e')
    expect(found()).toBe('tooShort')
    search.setText('el')
    await environment.advance(200)
    search.setText('elm')
    await environment.advance(249)
    expect(requestCount()).toBe(0)
    await environment.advance(1)
    expect([requestCount(), input(), found()]).toEqual([1, { roomId: 1, text: 'elm' }, 'searching'])
    await answer([9, 8])
    expect(found()).toEqual([[9, 8], null])
    search.setText(' ')
    expect(found()).toBe('empty')
    await environment.advance(1_000)
    expect(requestCount()).toBe(1)
  })

  it('[CHAT-34] loads the next page after the last result, once', async () => {
    search.setText('elma')
    await environment.advance(250)
    await answer([90, 80], 80)
    void search.loadMore()
    void search.loadMore()
    expect([requestCount(), input(), found()]).toEqual([
      2,
      { roomId: 1, text: 'elma', before: 80 },
      [[90, 80], 'loading'],
    ])
    await answer([70], 70)
    expect(found()).toEqual([[90, 80, 70], 'waiting'])
    void search.loadMore()
    await answer([])
    expect(found()).toEqual([[90, 80, 70], null])
    void search.loadMore()
    expect(requestCount()).toBe(3)
  })

  it('[LIVE-38] [CHAT-34] drops results that a removal in the same frame covers', async () => {
    search.subscribe()
    search.setText('elma')
    await environment.advance(250)
    environment.transport.receive(
      [Kind.answer, environment.transport.request('searchMessages').id, { roomId: 1, messages: [createMessage(9)] }],
      [Kind.event, 101, 'clearMessages', { roomId: 1 }],
    )
    await flushPromises()
    expect(found()).toEqual([[], null])
  })

  it('[CHAT-34] continues by itself when a part of the room has no match', async () => {
    search.setText('elma')
    await environment.advance(250)
    await answer([], 5000)
    expect([requestCount(), input()]).toEqual([2, { roomId: 1, text: 'elma', before: 5000 }])
    await answer([7])
    expect(found()).toEqual([[7], null])
  })

  it('shows only the results of the latest query', async () => {
    search.setText('elma')
    await environment.advance(250)
    const { id } = environment.transport.request('searchMessages')
    search.setText('armut')
    await environment.advance(250)
    environment.transport.receive([2, id, { roomId: 1, messages: [createMessage(1)] }])
    await flushPromises()
    expect(found()).toBe('searching')
    await answer([2])
    expect(found()).toEqual([[2], null])
  })

  it('shows the reason of a failure, and retries', async () => {
    search.setText('elma')
    await environment.advance(250)
    environment.transport.refuse('searchMessages', refuse('Busy').body)
    await flushPromises()
    expect(search.state.value).toEqual({ is: 'failed', message: refuse('Busy').body.message })
    void search.run()
    await answer([9], 9)
    void search.loadMore()
    environment.transport.drop()
    await flushPromises()
    expect(search.state.value).toMatchObject({ is: 'found', next: { before: 9, is: 'failed' } })
    search.setText('armut')
    await environment.advance(250)
    expect(search.state.value).toEqual({
      is: 'failed',
      message: 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.',
    })
  })

  it('[MOD-10] [MOD-11] [CHAT-31] drops removed messages, also in pages that arrive later', async () => {
    search.subscribe()
    search.setText('elma')
    await environment.advance(250)
    const found = [createMessage(9), createMessage(8, { senderId: 3 })]
    environment.transport.answer('searchMessages', { roomId: 1, messages: found, before: 8 })
    await flushPromises()
    void search.loadMore()
    const banned = { roomId: 1, userId: 3, username: 'kaba' }
    environment.transport.receive([Kind.event, 101, 'removeBannedMessages', banned])
    expect(ids()).toEqual([9])
    await answer([7])
    expect(ids()).toEqual([9, 7])
    environment.transport.receive([Kind.event, 102, 'clearMessages', { roomId: 2 }])
    expect(ids()).toEqual([9, 7])
    environment.transport.receive([Kind.event, 103, 'clearMessages', { roomId: 1 }])
    expect(ids()).toEqual([])
  })

  it('[MOD-12] searches again after a resync of the room', async () => {
    search.subscribe()
    search.setText('elma')
    await environment.advance(250)
    await answer([9])
    environment.transport.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [] }])
    await answer([])
    expect(requestCount()).toBe(2)
    expect(ids()).toEqual([])
  })

  it('[CHAT-41] shows the present data of senders', async () => {
    search.subscribe()
    search.setText('elma')
    await environment.advance(250)
    await answer([9])
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: createPerson(2, 'canan') }])
    const { state } = search
    expect(state.value.is === 'found' && state.value.messages).toMatchObject([{ id: 9, senderUsername: 'canan' }])
  })

  it('shows nothing after it was closed', async () => {
    const end = search.subscribe()
    search.setText('elma')
    end()
    await environment.advance(1_000)
    expect(requestCount()).toBe(0)
  })
})
