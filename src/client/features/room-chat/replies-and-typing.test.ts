import { describe, expect, it } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { typingIndicatorOf, typingText } from '../../model/conversation/composer/typing-indicator.ts'
import { createMessage, createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'

async function inRoom() {
  const environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  const hint = typingIndicatorOf(client.conversation)
  await client.openRoom(createRoomPage({ messages: [createMessage(1, { content: 'Asıl söz' })] }))
  const words = (viewerId = 1) => typingText(hint.typists.value, viewerId)
  const typing = (...ids: number[]) => {
    const users = ids.map((id) => ({ id, username: `kişi${id}` }))
    environment.transport.receive([Kind.ephemeral, 'typing', { roomId: 1, users }])
  }
  return { environment, client, hint, words, typing }
}

describe('a pending reply', () => {
  it("[CHAT-20] shows its quote at once, and then the server's quote", async () => {
    const { environment, client } = await inRoom()
    client.conversation.send('cevap', 1)
    const quote = { id: 1, content: 'Asıl söz', senderId: 2, senderUsername: 'kişi2' }
    const last = () => client.conversation.bubbles.value.at(-1)
    expect(last()).toMatchObject({ status: 'pending', replyTo: { id: 1, content: 'Asıl söz' } })
    const { input } = environment.transport.request('sendMessage')
    expect(input).toMatchObject({ replyTo: { id: 1 } })
    const own = createMessage(2, { senderId: 1, clientId: String(input.clientId), replyTo: quote })
    environment.transport.receive([Kind.event, 101, 'message', own])
    expect(last()).toMatchObject({ status: 'sent', replyTo: quote })
  })

  it("[CHAT-20] has the server's form of a quote: one line, no brackets, 100 characters", async () => {
    const environment = new FakeEnvironment()
    const client = new RoomHarness(environment)
    const content = `@[{ad.}]\n${'x'.repeat(200)}`
    await client.openRoom(createRoomPage({ messages: [createMessage(1, { content })] }))
    client.conversation.send('cevap', 1)
    expect(client.conversation.bubbles.value.at(-1)?.replyTo?.content).toBe(`@ad. ${'x'.repeat(95)}…`)
  })

  it('[CHAT-21] shows that the original was removed', async () => {
    const { client } = await inRoom()
    client.conversation.send('cevap', 77)
    expect(client.conversation.bubbles.value.at(-1)?.replyTo).toEqual({
      id: 77,
      content: null,
      senderId: null,
      senderUsername: null,
    })
  })
})

describe('the typing indicator', () => {
  it('[CHAT-29] names other users until 5 seconds after their last signal', async () => {
    const { environment, words, typing } = await inRoom()
    expect(words()).toBeNull()
    typing(1)
    expect([words(), words(2)]).toEqual([null, 'kişi1 yazıyor'])
    typing(2)
    expect(words()).toBe('kişi2 yazıyor')
    typing(3, 4)
    expect(words()).toBe('kişi2, kişi3 ve kişi4 yazıyor')
    typing(5)
    expect(words()).toBe('Birkaç kişi yazıyor')
    await environment.advance(3_000)
    typing(2)
    await environment.advance(2_000)
    expect(words()).toBe('kişi2 yazıyor')
    await environment.advance(3_000)
    expect(words()).toBeNull()
  })

  it('[CHAT-29] drops a user who sends a message or leaves', async () => {
    const { environment, words, typing } = await inRoom()
    typing(2, 3)
    environment.transport.receive([Kind.event, 101, 'message', createMessage(2, { senderId: 2 })])
    expect(words()).toBe('kişi3 yazıyor')
    environment.transport.receive([Kind.ephemeral, 'user-left', { roomId: 1, username: 'kişi3' }])
    expect(words()).toBeNull()
  })

  it('[MOD-10] [CHAT-41] drops a banned user, and shows a new username at once', async () => {
    const { environment, words, typing } = await inRoom()
    typing(2, 3)
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: createPerson(3, 'yeni') }])
    expect(words()).toBe('kişi2 ve yeni yazıyor')
    environment.transport.receive([
      Kind.event,
      101,
      'removeBannedMessages',
      { roomId: 1, userId: 2, username: 'kişi2' },
    ])
    expect(words()).toBe('yeni yazıyor')
  })

  it('[CHAT-29] sends a signal at most every 3 seconds, and again after a message', async () => {
    const { environment, hint } = await inRoom()
    const typingSignals = () =>
      environment.transport.sent.filter(([kind, name]) => kind === Kind.signal && name === 'typing').length
    for (let key = 0; key < 20; key++) hint.onInput()
    expect(typingSignals()).toBe(1)
    await environment.advance(3_000)
    hint.onInput()
    expect(typingSignals()).toBe(2)
    hint.onSent()
    hint.onInput()
    expect(typingSignals()).toBe(3)
  })

  it('[CHAT-29] is empty after a move to another room', async () => {
    const { client, words, typing } = await inRoom()
    typing(2)
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, viewer: createPerson(1, 'ada') }))
    await flushPromises()
    expect(words()).toBeNull()
  })
})
