import { isDeepStrictEqual as isDeepEqual } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DirectMessage, RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { Media } from '../../../shared/media/media.ts'
import { Kind, type Payload } from '../../../shared/protocol/frame.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { typingIndicatorOf } from '../../model/conversation/composer/typing-indicator.ts'
import { FileOutbox } from '../../model/conversation/media/file-outbox.ts'
import {
  isHidingMedia,
  isMediaHidden,
  revealedPaths,
  revealMedia,
  viewableBubbles,
} from '../../model/conversation/media/media-view.tsx'
import { FakeFiles } from '../../model/conversation/media/testing/fake-files.ts'
import { advanceReadState, findDividerKey } from '../../model/conversation/thread/read-state.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import type { DirectConversation } from './direct-conversation.ts'
import { DirectConversations } from './direct-conversations.ts'
import { createDirectMentionSource } from './direct-mentions.ts'
import { CAN_INFO } from './testing/recipient-fixture.ts'

const CAN = 2
const recipientInfo = CAN_INFO

let environment: FakeEnvironment
let client: RoomHarness
let conversations: DirectConversations
let can: DirectConversation

beforeEach(async () => {
  revealedPaths.value = new Set()
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  conversations = openConversations()
  await client.openRoom(createRoomPage())
  can = conversations.openWith(CAN, 'can')
})

function openConversations(): DirectConversations {
  const { files } = new FakeFiles(environment, client.live)
  const platform = { environment, live: client.live, outbox: client.outbox }
  return new DirectConversations(platform, new FileOutbox(platform, files), () => ADA)
}

/** A message of Can to Ada by default. */
function message(id: number, changes: Partial<DirectMessage> = {}): DirectMessage {
  const [sender, recipient] = changes.senderId === ADA.id ? [ADA, { id: CAN, username: 'can' }] : [null, ADA]
  return {
    id,
    content: `Söz ${id}`,
    createdAt: Date.parse('2026-01-01T11:00:00Z') + id * 1000,
    senderId: sender?.id ?? CAN,
    senderUsername: sender?.username ?? 'can',
    senderGender: null,
    senderAvatarUrl: null,
    senderIsGuest: false,
    senderRole: sender ? ADA.role : 'member',
    recipientId: recipient.id,
    recipientUsername: recipient.username,
    read: false,
    clientId: `20000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    ...changes,
  }
}
const own = (id: number, changes: Partial<DirectMessage> = {}) => message(id, { senderId: ADA.id, ...changes })

const mediaOf = (mediaId: number): Media => ({
  mediaId,
  mediaType: 'image',
  originalPath: `/uploads/${mediaId}.webp`,
  thumbnailPath: `/uploads/${mediaId}0.webp`,
  width: 1600,
  height: 900,
  durationMs: null,
  blur: null,
  waveform: null,
})

const eventOf = (sent: DirectMessage) => ({ ...sent, recipientInfo: { avatarUrl: null, gender: null } })

/** @param unread of all messages; by default those of the page */
async function answerStart(
  messages: DirectMessage[],
  cursor = 100,
  changes: Partial<RecipientInfo> = {},
  unread: { readUpToId?: number; unreadCount?: number } = {},
) {
  const { transport } = environment
  transport.answer('dmSessionStart', { success: true, userId: CAN, cursor })
  const info = { ...recipientInfo, ...changes }
  const lastRead = messages.findLast(({ senderId, read }) => senderId === CAN && read)?.id ?? 0
  const read = { readUpToId: lastRead, unreadCount: messages.filter((one) => one.senderId === CAN && !one.read).length }
  const started = { messages, more: false, recipientInfo: info, showsMedia: false, ...read, ...unread, cursor }
  transport.receive([Kind.ephemeral, 'dmSessionStarted', started])
  await flushPromises()
}

const receive = (seq: number, name: string, payload: Payload) =>
  environment.transport.receive([Kind.event, seq, name, payload])
const shown = (conversation = can) =>
  conversation.bubbles.value.map(({ id, content, status }) => [id, content, status] as const)

describe('a direct conversation', () => {
  it('opens with the latest messages, and shows those of its two users only', async () => {
    expect(can.status.value).toEqual({ state: 'loading' })
    await answerStart([message(1), own(2, { read: true })])
    expect(can.status.value).toEqual({ state: 'open' })
    receive(101, 'directMessage', eventOf(message(3)))
    receive(102, 'directMessage', eventOf(message(4, { senderId: 9, senderUsername: 'eda' })))
    expect(shown()).toEqual([
      [1, 'Söz 1', 'sent'],
      [2, 'Söz 2', 'read'],
      [3, 'Söz 3', 'sent'],
    ])
    expect(can.recipient.value?.isOnline).toBe(true)
  })

  it('[DM-22] is after events the same as fetched anew, also after a lost connection', async () => {
    await answerStart([own(1)])
    receive(101, 'directMessage', eventOf(message(2)))
    receive(102, 'messagesRead', {
      readerId: CAN,
      readerUsername: 'can',
      otherId: ADA.id,
      otherUsername: 'ada',
      upToId: 1,
    })
    receive(103, 'directMessage', eventOf(own(3)))
    receive(104, 'userBlocked', { blockerId: CAN, blockedId: ADA.id, blockerUsername: 'can', blockedUsername: 'ada' })
    const [stale, permission] = [shown(), can.permission.value]

    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 200 })
    await answerStart([own(1, { read: true }), message(2), own(3)], 200, { isBlockedByProfile: true, isOnline: true })
    expect(shown()).toEqual(stale)
    expect(can.permission.value).toEqual(permission)
    receive(150, 'directMessage', eventOf(message(2)))
    receive(201, 'directMessage', eventOf(own(4)))
    expect(shown().map(([id]) => id)).toEqual([1, 2, 3, 4])
  })

  it('[DM-55] shows what came during a lost connection as unread, when its window is restored', async () => {
    await answerStart([message(1, { read: true })])
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 200 })
    await answerStart([message(1, { read: true }), message(2), message(3)], 200)
    expect(can.getReadState()).toMatchObject({ seenId: 1, dividerAfterId: 1, unreadCount: 2 })
  })

  it('sends through the outbox, and shows a message of its own once', async () => {
    await answerStart([])
    expect(can.send('selam')).toBeNull()
    expect(shown()).toEqual([[null, 'Selam', 'pending']])
    const { input } = environment.transport.request('sendDirectMessage')
    expect(input).toMatchObject({ recipientUsername: 'can', recipientId: CAN, content: 'Selam' })
    const sent = own(7, { content: 'Selam', clientId: String(input.clientId) })
    receive(101, 'directMessage', eventOf(sent))
    environment.transport.answer('sendDirectMessage', { success: true, message: sent })
    await flushPromises()
    expect(shown()).toEqual([[7, 'Selam', 'sent']])
    expect(client.outbox.entries.value).toEqual([])
  })

  it('keeps a refused message with its reason, and asks why it was refused', async () => {
    await answerStart([])
    can.send('selam')
    environment.transport.refuse('sendDirectMessage', { code: 'ContactRefused', message: 'Olmaz.' })
    await flushPromises()
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Olmaz.' }])
    await answerStart([], 100, { messagePrivacy: 'nobody' })
    expect(can.permission.value).toEqual({
      canWrite: false,
      placeholder: 'Mesaj izniniz yok. Bu kişi hiçkimseden mesaj almak istemiyor.',
    })
    expect(can.send('yine')?.body.code).toBe('ContactRefused')
  })

  it('[DM-20] explains blocks and privacy as they change', async () => {
    await answerStart([])
    const block = { blockerId: ADA.id, blockedId: CAN, blockerUsername: 'ada', blockedUsername: 'can' }
    const placeholder = () => can.permission.value.placeholder
    receive(101, 'userBlocked', block)
    expect(placeholder()).toBe('Kullanıcıyı engellediniz')
    receive(102, 'userUnblocked', block)
    expect(placeholder()).toBe('Mesaj yaz')
    receive(103, 'userBlocked', { ...block, blockerId: CAN, blockedId: ADA.id })
    expect(placeholder()).toBe('Kullanıcı sizi engelledi')
    receive(104, 'userBlocked', { ...block, blockerId: CAN, blockedId: 9 })
    expect(can.permission.value.canWrite).toBe(false)
    receive(105, 'userUnblocked', { ...block, blockerId: CAN, blockedId: ADA.id })
    expect(can.permission.value.canWrite).toBe(true)
  })

  it.each([
    [{ messagePrivacy: 'nobody' }, 'Mesaj izniniz yok. Bu kişi hiçkimseden mesaj almak istemiyor.'],
    [{ messagePrivacy: 'followers' }, 'Mesaj izniniz yok. Bu kişi yalnızca takipçilerinden mesaj almak istiyor.'],
    [{ messagePrivacy: 'followers', isFollowing: true }, 'Mesaj yaz'],
    [{ messagePrivacy: 'following' }, 'Mesaj izniniz yok. Bu kişi yalnızca takip ettiklerinden mesaj almak istiyor.'],
    [{ messagePrivacy: 'following', isFollowedBy: true }, 'Mesaj yaz'],
    [{ hasBlockedProfile: true }, 'Kullanıcıyı engellediniz'],
    [{ isBlockedByProfile: true }, 'Kullanıcı sizi engelledi'],
  ] satisfies [Partial<RecipientInfo>, string][])(
    '[DM-60] with %j, the composer says %s',
    async (changes, placeholder) => {
      await answerStart([], 100, changes)
      expect(can.permission.value).toEqual({ canWrite: placeholder === 'Mesaj yaz', placeholder })
    },
  )

  it('[DM-60] lets a viewer who becomes a root admin write, and asks again for the other user', async () => {
    await answerStart([], 100, { messagePrivacy: 'nobody', isBlockedByProfile: true })
    const become = (role: 'rootadmin' | 'member') =>
      environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: { ...ADA, role } }])
    become('rootadmin')
    expect(can.permission.value.canWrite).toBe(true)
    await answerStart([], 100, { messagePrivacy: 'nobody' })
    become('member')
    expect(can.permission.value.placeholder).toMatch(/^Mesaj izniniz yok/)
  })

  it('[DM-62] follows a new name of the other user, and opens under it after a failure', async () => {
    environment.transport.refuse('dmSessionStart', { code: 'NotFound', message: 'Kullanıcı yok.' })
    await flushPromises()
    conversations.openWith(CAN, 'can')
    expect(environment.transport.count('dmSessionStart')).toBe(1)
    conversations.openWith(CAN, 'canan')
    expect(environment.transport.request('dmSessionStart').input).toMatchObject({ recipientUsername: 'canan' })
    await answerStart([], 100, { username: 'canan' })
    const user = { ...ADA, id: CAN, username: 'candan' }
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user }])
    expect(can.recipient.value?.username).toBe('candan')
    can.send('selam')
    expect(environment.transport.request('sendDirectMessage').input).toMatchObject({ recipientUsername: 'candan' })
  })

  it('[PREM-06] follows premium of the other user alone', async () => {
    await answerStart([])
    const receive = (user: object) =>
      environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user: { ...ADA, ...user } }])
    receive({ premiumStatus: 'premium' })
    expect(can.recipient.value?.premiumStatus).toBe('guest')
    receive({ id: CAN, premiumStatus: 'premium' })
    expect(can.recipient.value?.premiumStatus).toBe('premium')
  })

  it('[DM-74] is found by its id after a name that changed during a lost connection', async () => {
    await answerStart([message(1)])
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 200 })
    expect(environment.transport.request('dmSessionStart').input).toEqual({
      recipientUsername: 'can',
      recipientId: CAN,
    })
    await answerStart([message(1), message(2)], 200, { username: 'canan' })
    expect([can.recipient.value?.username, shown().length]).toEqual(['canan', 2])
    expect(environment.transport.count('dmSessionStart')).toBe(1)
  })

  it('[DM-74] is not asked for again and again when it cannot be found after a lost connection', async () => {
    await answerStart([])
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: false, cursor: 200 })
    environment.transport.refuse('dmSessionStart', { code: 'NotFound', message: 'Kullanıcı yok.' })
    await flushPromises()
    expect(can.status.value).toEqual({ state: 'failed', reason: 'Kullanıcı yok.' })
    await environment.advance(10_000)
    expect(environment.transport.count('dmSessionStart')).toBe(1)
    void can.start()
    await answerStart([message(3)], 300)
    expect([can.status.value, shown().map(([id]) => id)]).toEqual([{ state: 'open' }, [3]])
  })

  it('[DM-74] asks once more when something changes while an answer is under way', async () => {
    await answerStart([])
    const { transport } = environment
    const follow = { followerId: ADA.id, followingId: CAN, followerUsername: 'ada', followingUsername: 'can' }
    const followed = { ...follow, status: 'following', followerCount: 1, followingCount: 1 }
    receive(101, 'userFollowed', followed)
    receive(102, 'userUnfollowed', { ...followed, status: 'not_following' })
    receive(103, 'userFollowed', followed)
    expect(transport.count('dmSessionStart')).toBe(2)
    await answerStart([], 101, { messagePrivacy: 'followers' })
    expect(transport.count('dmSessionStart')).toBe(3)
    await answerStart([], 103, { messagePrivacy: 'followers', isFollowing: true })
    expect([can.permission.value.canWrite, transport.count('dmSessionStart')]).toEqual([true, 3])
  })

  it('[DM-72] follows a change of the other user’s privacy, after a resume and a wait of the server too', async () => {
    await answerStart([])
    const { transport } = environment
    transport.receive([Kind.ephemeral, 'contactVerdictChanged', { userId: 9 }])
    expect(transport.count('dmSessionStart')).toBe(1)
    transport.receive([Kind.ephemeral, 'contactVerdictChanged', { userId: CAN }])
    transport.refuse('dmSessionStart', { code: 'RateLimited', message: 'Yavaş.', waitMs: 500 })
    await flushPromises()
    await environment.advance(500)
    await answerStart([], 100, { messagePrivacy: 'nobody' })
    expect(can.permission.value.placeholder).toMatch(/hiçkimseden/)

    transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ resumed: true, cursor: 100 })
    await answerStart([], 100)
    expect(can.permission.value.canWrite).toBe(true)
  })

  it('[DM-62] sends a message that waited for the other user under the new name', async () => {
    await answerStart([])
    can.send('selam')
    const user = { ...ADA, id: CAN, username: 'canan' }
    environment.transport.receive([Kind.ephemeral, 'userProfileUpdated', { user }])
    environment.transport.refuse('sendDirectMessage', { code: 'NotFound', message: 'Kullanıcı yok.' })
    await environment.advance(0)
    await flushPromises()
    expect(environment.transport.request('sendDirectMessage').input).toMatchObject({ recipientUsername: 'canan' })
    environment.transport.refuse('sendDirectMessage', { code: 'NotFound', message: 'Kullanıcı yok.' })
    await environment.advance(0)
    await flushPromises()
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Kullanıcı yok.' }])
  })

  it('[DM-56] offers the other user and the people of the room for a mention', async () => {
    await answerStart([])
    const source = createDirectMentionSource(client.live, can.recipient)
    expect(source.known.value).toMatchObject({ users: [{ id: CAN, username: 'can' }], isComplete: false })
    const found = source.search('ce')
    expect(environment.transport.request('getRoomUsers').input).toEqual({ roomId: 1, search: 'ce' })
    const cem = { ...ADA, id: 7, username: 'cem' }
    environment.transport.answer('getRoomUsers', { users: [cem], total: 1 })
    expect(await found).toEqual([cem])
  })

  it('[DM-23] marks messages as read while its end is seen, once each', async () => {
    await answerStart([message(1, { read: true })])
    can.setAttended(true)
    const { transport } = environment
    expect(transport.count('markMessagesAsRead')).toBe(0)
    receive(101, 'directMessage', eventOf(message(2)))
    expect(transport.request('markMessagesAsRead').input).toMatchObject({ otherUserId: CAN, upToId: 2 })
    receive(102, 'directMessage', eventOf(message(3)))
    transport.answer('markMessagesAsRead', { success: true })
    await flushPromises()
    expect(transport.request('markMessagesAsRead').input).toMatchObject({ upToId: 3 })
    transport.answer('markMessagesAsRead', { success: true })
    await flushPromises()
    can.setAttended(false)
    receive(103, 'directMessage', eventOf(message(4)))
    expect(transport.count('markMessagesAsRead')).toBe(2)
    can.setAttended(true)
    expect(transport.count('markMessagesAsRead')).toBe(3)
  })

  it('[DM-73] marks messages as read after the wait that the server names', async () => {
    await answerStart([message(1)])
    can.setAttended(true)
    const { transport } = environment
    transport.refuse('markMessagesAsRead', { code: 'RateLimited', message: 'Yavaş.', waitMs: 700 })
    await flushPromises()
    await environment.advance(699)
    expect(transport.count('markMessagesAsRead')).toBe(1)
    await environment.advance(1)
    expect(transport.request('markMessagesAsRead').input).toMatchObject({ upToId: 1 })
  })

  const page = (first: number, changes: Partial<DirectMessage> = {}) =>
    Array.from({ length: 40 }, (_, index) => message(first + index, changes))
  /** Answers the two requests for the messages around an id. */
  const answerAround = (id: number, answer: (side: 'before' | 'after') => Payload) => {
    const { transport } = environment
    for (const [range, side] of [
      [{ before: id + 1 }, 'before'],
      [{ after: id }, 'after'],
    ] as const) {
      const input = { userId: CAN, ...range }
      const request = transport.sent.findLast((value) => value[0] === Kind.request && isDeepEqual(value[3], input))
      if (request?.[0] !== Kind.request) throw new Error(`the client did not ask for ${JSON.stringify(range)}`)
      transport.receive([Kind.answer, request[1], answer(side)])
    }
  }

  it('[DM-55] opens at the first unread message, however far it is from the end', async () => {
    await answerStart(page(1_961), 100, {}, { readUpToId: 440, unreadCount: 1_560 })
    expect(can.status.value).toEqual({ state: 'loading' })
    const pages = { before: page(401, { read: true }), after: page(441) }
    answerAround(440, (side) => ({ messages: pages[side], more: true }))
    await flushPromises()
    expect(can.status.value).toEqual({ state: 'open' })
    expect(can.getReadState()).toMatchObject({ seenId: 440, unreadCount: 1_560 })
    expect(shown().map(([id]) => id)).toEqual(Array.from({ length: 80 }, (_, index) => 401 + index))
    const reading = advanceReadState(can.getReadState(), can.latest.value, { isFollowing: false, hasGap: true })
    expect([findDividerKey(reading, can.bubbles.value), reading.unreadCount]).toEqual(['m440', 1_560])
    receive(101, 'directMessage', eventOf(message(2_001)))
    expect(advanceReadState(reading, can.latest.value, { isFollowing: false, hasGap: true }).unreadCount).toBe(1_561)
  })

  it('[DM-55] opens at its first message when all is unread, and at its end when that cannot be loaded', async () => {
    await answerStart(page(81), 100, {}, { unreadCount: 120 })
    answerAround(0, (side) => (side === 'before' ? { messages: [], more: false } : { messages: page(1), more: true }))
    await flushPromises()
    expect(can.status.value).toEqual({ state: 'open' })
    expect([shown()[0]?.[0], shown().length, can.store.scrollback.value.isAtStart]).toEqual([1, 40, true])

    const other = openConversations()
    const again = other.openWith(CAN, 'can')
    await answerStart(page(81), 100, {}, { unreadCount: 120 })
    environment.transport.drop()
    await flushPromises()
    expect(again.status.value).toEqual({ state: 'open' })
    expect(again.bubbles.value.at(-1)?.id).toBe(120)
  })

  it('[DM-55] opens at its end where the unread messages are loaded, and counts them until they are read', async () => {
    await answerStart([message(1, { read: true }), message(2), own(3), message(4)])
    expect(can.status.value).toEqual({ state: 'open' })
    expect(can.getReadState()).toMatchObject({ seenId: 1, unreadCount: 2 })
    receive(101, 'directMessage', eventOf(message(5)))
    expect(can.getReadState().unreadCount).toBe(3)
    const read = { readerId: ADA.id, readerUsername: 'ada', otherId: CAN, otherUsername: 'can' }
    receive(102, 'messagesRead', { ...read, upToId: 5 })
    expect(can.getReadState()).toMatchObject({ seenId: 5, dividerAfterId: null, unreadCount: 0 })
  })

  it('shows who types, and loses its messages when the conversation is gone', async () => {
    await answerStart([message(1)])
    const { typists } = typingIndicatorOf(can)
    environment.transport.receive([Kind.ephemeral, 'directTyping', { userId: 9, username: 'eda' }])
    expect(typists.value).toEqual([])
    environment.transport.receive([Kind.ephemeral, 'directTyping', { userId: CAN, username: 'can' }])
    expect(typists.value).toMatchObject([{ id: CAN, username: 'can' }])
    receive(101, 'dmCleared', { username: 'eda', userId: 9 })
    expect(shown()).toHaveLength(1)
    receive(102, 'dmCleared', { username: 'can', userId: CAN })
    expect(shown()).toEqual([])
  })

  it('says why it cannot be opened, and opens at the next try', async () => {
    environment.transport.refuse('dmSessionStart', { code: 'NotFound', message: 'Kullanıcı yok.' })
    await flushPromises()
    expect(can.status.value).toEqual({ state: 'failed', reason: 'Kullanıcı yok.' })
    void can.start()
    await answerStart([message(1)])
    expect(can.status.value).toEqual({ state: 'open' })
  })

  it('[DM-50] hides pictures of a stranger, not recordings, own ones and those that the viewer asks for', async () => {
    const pictures = [message(1, { media: mediaOf(1) }), own(2, { media: mediaOf(2) })]
    await answerStart([...pictures, message(3, { media: { ...mediaOf(3), mediaType: 'audio' } }), message(4)])
    const hidden = () =>
      can.bubbles.value
        .filter((bubble) => isMediaHidden(bubble, isHidingMedia(can).value, revealedPaths.value))
        .map(({ id }) => id)
    expect(hidden()).toEqual([1])
    expect(viewableBubbles(can).value.map(({ id }) => id)).toEqual([2])
    receive(101, 'directMessage', eventOf(message(5, { media: mediaOf(5) })))
    expect(hidden()).toEqual([1, 5])
    revealMedia(mediaOf(1).originalPath)
    expect(hidden()).toEqual([5])
    expect(viewableBubbles(can).value.map(({ id }) => id)).toEqual([1, 2])
  })

  it('[DM-51] shows them once the viewer writes, here or on another device', async () => {
    await answerStart([message(1, { media: mediaOf(1) })])
    expect(can.mediaHiding.isOn.value).toBe(true)
    receive(101, 'directMessage', eventOf(message(2)))
    receive(102, 'directMessage', eventOf(own(3, { recipientId: 9 })))
    expect(can.mediaHiding.isOn.value).toBe(true)
    receive(103, 'directMessage', eventOf(own(4)))
    expect(can.mediaHiding.isOn.value).toBe(false)
  })

  it('[DM-51] shows them once the viewer allows it on another device', async () => {
    await answerStart([message(1, { media: mediaOf(1) })])
    receive(101, 'directMediaAllowed', { userId: 9 })
    expect(can.mediaHiding.isOn.value).toBe(true)
    receive(102, 'directMediaAllowed', { userId: CAN })
    expect(can.mediaHiding.isOn.value).toBe(false)
  })

  it('[DM-51] shows them once the viewer allows it, and says when that fails', async () => {
    await answerStart([message(1, { media: mediaOf(1) })])
    const refused = can.mediaHiding.allow()
    environment.transport.refuse('allowDirectMedia', { code: 'RateLimited', message: 'Biraz bekle.' })
    expect(await refused).toBe('Biraz bekle.')
    expect(can.mediaHiding.isOn.value).toBe(true)
    const allowed = can.mediaHiding.allow()
    environment.transport.answer('allowDirectMedia', { success: true })
    expect(await allowed).toBeNull()
    expect(can.mediaHiding.isOn.value).toBe(false)
  })

  it('[DM-54] shows no name of the file in its bubble, and quotes it by that name', async () => {
    await answerStart([message(1, { content: '', media: mediaOf(1) }), message(2, { media: mediaOf(2) })])
    expect(shown().map(([, content]) => content)).toEqual(['', 'Söz 2'])
    can.send('Çok güzel', 1)
    can.send('Bu da', 2)
    expect(can.bubbles.value.slice(2).map(({ replyTo }) => replyTo?.content)).toEqual(['Fotoğraf', 'Söz 2'])
  })
})
