import { beforeEach, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { FileOutbox } from '../../model/conversation/media/file-outbox.ts'
import { FakeFiles } from '../../model/conversation/media/testing/fake-files.ts'
import { MessageSearch } from '../../model/conversation/search/message-search.ts'
import { createMessage, createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { directSearchSource } from './conversation-search.tsx'
import { DirectConversations } from './direct-conversations.ts'
import { CAN_INFO } from './testing/recipient-fixture.ts'

const CAN = 2

let environment: FakeEnvironment
let search: MessageSearch
beforeEach(async () => {
  environment = new FakeEnvironment()
  const { live, outbox, ...client } = new RoomHarness(environment)
  const platform = { environment, live, outbox }
  const { files } = new FakeFiles(environment, live)
  const conversations = new DirectConversations(platform, new FileOutbox(platform, files), () => ADA)
  client.roomSubscription.openPage(createRoomPage())
  environment.transport.accept()
  environment.transport.answer('hello', { user: ADA, cursor: 100, resumed: true, serverTime: environment.now() })
  await flushPromises()
  const conversation = conversations.openWith(CAN, 'can')
  environment.transport.receive([Kind.ephemeral, 'dmSessionStarted', started()])
  search = new MessageSearch(environment, live, directSearchSource(live, conversation))
  search.subscribe()
})

const started = () => ({
  messages: [],
  more: false,
  recipientInfo: CAN_INFO,
  cursor: 100,
  showsMedia: true,
  readUpToId: 0,
  unreadCount: 0,
})
async function find(text: string, ids: number[], before?: number): Promise<void> {
  search.setText(text)
  await environment.advance(250)
  expect(environment.transport.request('searchDirectMessages').input).toEqual({ userId: CAN, text })
  const messages = ids.map((id) => createMessage(id, { senderId: CAN }))
  environment.transport.answer('searchDirectMessages', { userId: CAN, messages, ...(before && { before }) })
  await flushPromises()
}
const found = () => {
  const state = search.state.value
  return state.is === 'found' ? state.messages.map(({ id }) => id) : state.is
}

it('[DM-79] asks for the messages of the conversation, page by page', async () => {
  await find('elma', [9, 8], 8)
  expect(found()).toEqual([9, 8])
  void search.loadMore()
  expect(environment.transport.request('searchDirectMessages').input).toEqual({ userId: CAN, text: 'elma', before: 8 })
  environment.transport.answer('searchDirectMessages', { userId: CAN, messages: [createMessage(7)] })
  await flushPromises()
  expect(found()).toEqual([9, 8, 7])
})

it('[DM-78] [DM-79] drops messages that are removed, and all of a conversation that has ended', async () => {
  await find('elma', [9, 8])
  environment.transport.receive([
    Kind.event,
    101,
    'directMessageRemoved',
    { id: 9, senderId: CAN, recipientId: ADA.id },
  ])
  expect(found()).toEqual([8])
  environment.transport.receive([Kind.event, 102, 'dmCleared', { username: 'deniz', userId: 3 }])
  expect(found()).toEqual([8])
  environment.transport.receive([Kind.event, 103, 'dmCleared', { username: 'can', userId: CAN }])
  expect(found()).toEqual([])
})
