import { beforeEach, describe, expect, it } from 'vitest'
import { person } from '../../shared/accounts/testing/person.ts'
import { Kind } from '../../shared/protocol/frame.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { FakeEnvironment, settled } from '../live/testing/fake-environment.ts'
import { messageOf, RoomClient } from '../live/testing/room-client.ts'
import { Search } from './search.ts'

let environment: FakeEnvironment
let client: RoomClient
let search: Search

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomClient(environment)
  search = new Search(environment, client.live)
  await client.enter()
})

const answer = async (ids: number[], before?: number): Promise<void> => {
  const messages = ids.map((id) => messageOf(id))
  environment.wire.answer('searchMessages', { roomId: 1, messages, ...(before && { before }) })
  await settled()
}
const asked = () => environment.wire.count('searchMessages')
const input = () => environment.wire.request('searchMessages').input
const ids = () => {
  const state = search.state.value
  return state.is === 'found' ? state.messages.map(({ id }) => id) : state.is
}
const found = () => {
  const state = search.state.value
  return state.is === 'found' ? [state.messages.map(({ id }) => id), state.next?.is ?? null] : state.is
}

describe('a search', () => {
  it('[CHAT-33] waits until nobody types, and for two letters', async () => {
    expect(found()).toBe('empty')
    search.type('e')
    expect(found()).toBe('short')
    search.type('el')
    await environment.advance(200)
    search.type('elm')
    await environment.advance(249)
    expect(asked()).toBe(0)
    await environment.advance(1)
    expect([asked(), input(), found()]).toEqual([1, { roomId: 1, text: 'elm' }, 'searching'])
    await answer([9, 8])
    expect(found()).toEqual([[9, 8], null])
    search.type(' ')
    expect(found()).toBe('empty')
    await environment.advance(1_000)
    expect(asked()).toBe(1)
  })

  it('[CHAT-34] brings the next ones after those that are shown, once', async () => {
    search.type('elma')
    await environment.advance(250)
    await answer([90, 80], 80)
    void search.more()
    void search.more()
    expect([asked(), input(), found()]).toEqual([2, { roomId: 1, text: 'elma', before: 80 }, [[90, 80], 'loading']])
    await answer([70], 70)
    expect(found()).toEqual([[90, 80, 70], 'waiting'])
    void search.more()
    await answer([])
    expect(found()).toEqual([[90, 80, 70], null])
    void search.more()
    expect(asked()).toBe(3)
  })

  it('[LIVE-38] [CHAT-34] does not keep what is taken away in one frame with it', async () => {
    search.follow()
    search.type('elma')
    await environment.advance(250)
    environment.wire.receive(
      [Kind.answer, environment.wire.request('searchMessages').id, { roomId: 1, messages: [messageOf(9)] }],
      [Kind.event, 101, 'clearMessages', { roomId: 1 }],
    )
    await settled()
    expect(found()).toEqual([[], null])
  })

  it('[CHAT-34] goes on by itself where a part of the room held nothing', async () => {
    search.type('elma')
    await environment.advance(250)
    await answer([], 5000)
    expect([asked(), input()]).toEqual([2, { roomId: 1, text: 'elma', before: 5000 }])
    await answer([7])
    expect(found()).toEqual([[7], null])
  })

  it('heeds the answer to what was asked last', async () => {
    search.type('elma')
    await environment.advance(250)
    const { id } = environment.wire.request('searchMessages')
    search.type('armut')
    await environment.advance(250)
    environment.wire.receive([2, id, { roomId: 1, messages: [messageOf(1)] }])
    await settled()
    expect(found()).toBe('searching')
    await answer([2])
    expect(found()).toEqual([[2], null])
  })

  it('says why it failed, and tries again', async () => {
    search.type('elma')
    await environment.advance(250)
    environment.wire.refuse('searchMessages', refuse('Busy').body)
    await settled()
    expect(search.state.value).toEqual({ is: 'failed', message: refuse('Busy').body.message })
    void search.search()
    await answer([9], 9)
    void search.more()
    environment.wire.drop()
    await settled()
    expect(search.state.value).toMatchObject({ is: 'found', next: { before: 9, is: 'failed' } })
    search.type('armut')
    await environment.advance(250)
    expect(search.state.value).toEqual({
      is: 'failed',
      message: 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.',
    })
  })

  it('[MOD-10] [MOD-11] [CHAT-31] lets go of what is taken away, also of what comes after it', async () => {
    search.follow()
    search.type('elma')
    await environment.advance(250)
    const found = [messageOf(9), messageOf(8, { senderId: 3 })]
    environment.wire.answer('searchMessages', { roomId: 1, messages: found, before: 8 })
    await settled()
    void search.more()
    const banned = { roomId: 1, userId: 3, username: 'kaba' }
    environment.wire.receive([Kind.event, 101, 'removeBannedMessages', banned])
    expect(ids()).toEqual([9])
    await answer([7])
    expect(ids()).toEqual([9, 7])
    environment.wire.receive([Kind.event, 102, 'clearMessages', { roomId: 2 }])
    expect(ids()).toEqual([9, 7])
    environment.wire.receive([Kind.event, 103, 'clearMessages', { roomId: 1 }])
    expect(ids()).toEqual([])
  })

  it('[MOD-12] looks again when the room was fetched anew', async () => {
    search.follow()
    search.type('elma')
    await environment.advance(250)
    await answer([9])
    environment.wire.receive([Kind.ephemeral, 'loadRoomMessages', { roomId: 1, messages: [] }])
    await answer([])
    expect(asked()).toBe(2)
    expect(ids()).toEqual([])
  })

  it('[CHAT-41] shows whoever said something as they are', async () => {
    search.follow()
    search.type('elma')
    await environment.advance(250)
    await answer([9])
    environment.wire.receive([Kind.ephemeral, 'userProfileUpdated', { user: person(2, 'canan') }])
    const { state } = search
    expect(state.value.is === 'found' && state.value.messages).toMatchObject([{ id: 9, senderUsername: 'canan' }])
  })

  it('that was closed says nothing any more', async () => {
    const end = search.follow()
    search.type('elma')
    end()
    await environment.advance(1_000)
    expect(asked()).toBe(0)
  })
})
