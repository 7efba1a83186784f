import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createMessage, createRoomPage, RoomHarness } from '../room-chat/testing/room-harness.ts'
import { ComposerForm } from './composer/composer-form.tsx'
import { readDraft, saveDraft } from './composer/drafts.ts'
import { typingIndicatorOf, typingText } from './composer/typing-indicator.ts'
import type { Conversation } from './conversation.ts'
import { ConversationRegistry } from './conversation-registry.ts'
import { historyLoaderOf } from './store/history-loader.ts'
import { FakeConversation, WRITING_PAUSED } from './testing/fake-conversation.ts'
import { trackReply } from './thread/thread-extras.lazy.tsx'
import { ThreadView } from './thread/thread-view.tsx'

const CAN = 2
let environment: FakeEnvironment
let client: RoomHarness
/** Two of another kind beside the room. */
let direct: FakeConversation
let other: FakeConversation

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  await client.openRoom(createRoomPage({ messages: [createMessage(1, { content: 'Odadan' })] }))
  const platform = { environment, live: client.live, outbox: client.outbox }
  ;[direct, other] = [new FakeConversation(platform, 8), new FakeConversation(platform, 9)]
  direct.messages = Array.from({ length: 100 }, (_, index) =>
    createMessage(index + 1, { content: `Özel ${index + 1}` }),
  )
  direct.open({ messages: direct.messages.slice(-40), cursor: 100, viewer: ADA })
  other.open({ messages: [], cursor: 100, viewer: ADA })
})

const contents = (conversation: Conversation) => conversation.bubbles.value.map(({ content }) => content)
const typing = (conversation: Conversation) => typingText(typingIndicatorOf(conversation).typists.value, ADA.id)

describe('conversations in one tab', () => {
  it('receive their own messages only, though ids repeat', () => {
    environment.transport.receive([Kind.event, 201, 'message', createMessage(2, { content: 'Odaya' })])
    direct.receive(createMessage(101, { content: 'Sana' }), 202)
    expect(contents(client.conversation)).toEqual(['Odadan', 'Odaya'])
    expect(contents(direct).slice(-2)).toEqual(['Özel 100', 'Sana'])
    expect(contents(other)).toEqual([])
  })

  it('show, discard and retry only their own unsent messages', () => {
    client.conversation.send('odaya')
    direct.send('sana')
    other.send('ona')
    expect([client.conversation, direct, other].map((one) => contents(one).at(-1))).toEqual(['Odaya', 'Sana', 'Ona'])
    const unsent = direct.bubbles.value.at(-1)
    expect(unsent).toMatchObject({ status: 'pending', isOwn: true })
    direct.discard(unsent?.key ?? '')
    expect(contents(direct).at(-1)).toBe('Özel 100')
    expect([client.conversation, other].map((one) => contents(one).at(-1))).toEqual(['Odaya', 'Ona'])
  })

  it('confirm a message once, by its answer and its event', () => {
    direct.send('sana')
    const key = direct.bubbles.value.at(-1)?.key ?? ''
    direct.onAnswered(key, 101, environment.now())
    direct.receive(createMessage(101, { senderId: ADA.id, clientId: key, content: 'Sana' }), 202)
    expect(direct.bubbles.value.filter((bubble) => bubble.key === key)).toMatchObject([{ id: 101, status: 'sent' }])
    expect(client.outbox.entries.value).toEqual([])
  })

  it('scroll back independently', async () => {
    expect(await historyLoaderOf(direct).loadOlder()).toBeNull()
    expect(direct.bubbles.value).toHaveLength(80)
    expect(direct.store.scrollback.value.isOpen).toBe(true)
    expect(client.conversation.store.scrollback.value.isOpen).toBe(false)
    expect(contents(client.conversation)).toEqual(['Odadan'])
    expect(environment.transport.count('getMessages')).toBe(0)
    expect(await historyLoaderOf(direct).loadAround(10)).toBeNull()
    expect(contents(direct)).toContain('Özel 10')
    client.conversation.store.leaveScrollback()
    expect(direct.store.scrollback.value.isOpen).toBe(true)
  })

  it('reply to their own messages', () => {
    const stops = [client.conversation, direct].map(trackReply)
    const [inRoom, inDirect] = [client.conversation.bubbles.value[0], direct.bubbles.value[39]]
    client.conversation.replyingTo.value = inRoom ?? null
    direct.replyingTo.value = inDirect ?? null
    direct.send('cevap')
    expect(direct.bubbles.value.at(-1)?.replyTo?.content).toBe('Özel 100')
    expect([client.conversation.replyingTo.value, direct.replyingTo.value]).toEqual([inRoom, null])
    direct.replyingTo.value = inDirect ?? null
    environment.transport.receive([Kind.event, 203, 'clearMessages', { roomId: 1 }])
    expect([client.conversation.replyingTo.value, direct.replyingTo.value]).toEqual([null, inDirect])
    for (const stop of stops) stop()
  })

  it('show their own typing users, and send typing to their own room', async () => {
    expect([typing(client.conversation), typing(direct)]).toEqual([null, null])
    environment.transport.receive([Kind.ephemeral, 'typing', { roomId: 1, users: [{ id: CAN, username: 'can' }] }])
    expect([typing(client.conversation), typing(direct)]).toEqual(['can yazıyor', null])
    direct.announce((listener) => listener.onTyping?.([{ id: 8, username: 'deniz' }]))
    expect([typing(client.conversation), typing(direct), typing(other)]).toEqual(['can yazıyor', 'deniz yazıyor', null])
    typingIndicatorOf(direct).onInput()
    expect([direct.typingCount, other.typingCount]).toEqual([1, 0])
    expect(environment.transport.sent.some(([kind]) => kind === Kind.signal)).toBe(false)
    direct.close()
    expect([typing(client.conversation), typing(direct)]).toEqual(['can yazıyor', null])
  })

  it('keep their own drafts', () => {
    const stored = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
      removeItem: (key: string) => stored.delete(key),
    })
    for (const one of [client.conversation, direct, other]) saveDraft(one.draftKey, `taslak ${one.key}`)
    expect([client.conversation, direct, other].map(({ draftKey }) => readDraft(draftKey))).toEqual([
      'taslak room:1',
      'taslak fake:8',
      'taslak fake:9',
    ])
    saveDraft(direct.draftKey, '')
    expect([...stored.keys()]).toEqual(['draft:1', 'draft:fake:9'])
    vi.unstubAllGlobals()
  })

  it('have their own chat limits and notices', () => {
    direct.refusal = WRITING_PAUSED
    direct.notice.value = { kind: 'warning', text: 'Biraz bekle.', endsAt: null }
    expect(direct.send('sana')).toBe(WRITING_PAUSED)
    expect(other.send('ona')).toBeNull()
    expect([direct, other, client.conversation].map(({ composerNotice }) => composerNotice.value?.text)).toEqual([
      'Biraz bekle.',
      undefined,
      undefined,
    ])
  })

  it('show a new username in all of them', () => {
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: { ...ADA, username: 'gonca' } }])
    expect([client.conversation, direct, other].map(({ viewerName }) => viewerName.value)).toEqual(
      Array.from({ length: 3 }, () => 'gonca'),
    )
  })

  it('stay unchanged when the user moves to another room', async () => {
    const room = client.conversation
    direct.send('sana')
    client.roomSubscription.openPage(createRoomPage({ roomId: 2 }))
    await flushPromises()
    environment.transport.receive([Kind.event, 204, 'message', createMessage(3)])
    expect(client.conversation).not.toBe(room)
    expect([contents(client.conversation), contents(room)]).toEqual([[], ['Odadan']])
    expect(contents(direct).at(-1)).toBe('Sana')
  })
})

describe('the parts of a conversation', () => {
  const page = { messages: [createMessage(1, { content: 'Merhaba' })], viewer: ADA, serverTime: 0 }

  it('render a thread of any conversation', () => {
    const html = renderToString(
      <ThreadView
        conversation={direct}
        initial={page}
        label="Deniz ile mesajlar"
        renderStart={() => <p>Başlangıç</p>}
      />,
    )
    expect(html).toContain('aria-label="Deniz ile mesajlar"')
    expect(html).toContain('data-conversation="fake:8"')
    expect(html).toContain('Merhaba')
    expect(html).toContain('Başlangıç')
  })

  it('[CHAT-19] show markup in a message as typed', () => {
    const initial = { ...page, messages: [createMessage(1, { content: '<b>x</b>' })] }
    const html = renderToString(
      <ThreadView conversation={direct} initial={initial} label="Mesajlar" renderStart={() => null} />,
    )
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(html).not.toContain('<b>')
  })

  it('[GHOSTD-15] mark a ghost-banned user’s message before its text, in rooms and in direct messages', () => {
    const messages = [createMessage(1, { content: 'Açık' }), createMessage(2, { content: 'Gizli', isGhost: true })]
    const render = (shown: typeof messages) => {
      const initial = { ...page, messages: shown }
      return renderToString(
        <ThreadView conversation={direct} initial={initial} label="Mesajlar" renderStart={() => null} />,
      )
    }
    expect(render(messages.slice(0, 1))).not.toContain('Hayalet')
    expect(render(messages).split('Hayalet')).toHaveLength(2)
    expect(render(messages)).toMatch(/Hayalet.*Gizli/)
  })

  it('render an enabled composer, and a disabled one with its reason', () => {
    const closed = { canWrite: false, placeholder: 'Bu kişiye yazamazsın' }
    const open = renderToString(<ComposerForm conversation={direct} viewerId={ADA.id} />)
    expect(open).toContain('placeholder="Mesaj yaz"')
    expect(open).not.toContain('disabled')
    const html = renderToString(<ComposerForm conversation={other} viewerId={ADA.id} initialPermission={closed} />)
    expect(html).toContain('placeholder="Bu kişiye yazamazsın"')
    expect(html.match(/<(?:button|textarea)[^>]* disabled=""/g)).toHaveLength(3)
  })
})

describe('a registry of conversations', () => {
  it('finds conversations by id until they are closed', () => {
    const registry = new ConversationRegistry(
      (id: number) => new FakeConversation({ environment, live: client.live, outbox: client.outbox }, id),
    )
    const first = registry.get(5)
    first.open({ messages: [createMessage(1)], cursor: 0, viewer: ADA })
    expect([registry.get(5), registry.get(6).key]).toEqual([first, 'fake:6'])
    registry.close(5)
    expect(registry.get(5)).not.toBe(first)
    expect(first.viewerName.value).toBe('')
  })
})
