import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_NOTIFICATION_LENGTH } from '../../../shared/notifications/limits.ts'
import { NO_BLOCKS, type Viewer } from '../../kernel/live/visibility.ts'
import { listLatestMessages } from '../../model/conversations/room-messages.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'

describe('the quote of a reply', () => {
  let database: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    database = await openTestDatabase()
    ada = database.addMember('ada', 'rootadmin')
    can = database.addMember('can')
  })
  afterEach(() => database.close())

  const send = (content: string, { replyToId, roomId = 1 }: { replyToId?: number; roomId?: number } = {}): number => {
    const clientId = randomUUID()
    const { answer } = database.run({
      command: 'sendMessage',
      actor: { userId: ada, sessionId: 1 },
      clientId,
      input: { roomId, content, clientId, inRoomForMs: 60_000, ...(replyToId && { replyTo: { id: replyToId } }) },
    })
    return Number((answer as { id?: number } | undefined)?.id)
  }
  const viewerOf = (userId: number): Viewer => ({ userId, sessionId: 1, role: 'member', blockedIds: NO_BLOCKS })
  const quotesSeenBy = (userId: number) =>
    listLatestMessages(database.read, 1, viewerOf(userId)).map(({ replyTo }) => replyTo)
  const unavailableQuote = (id: number) => ({ id, content: null, senderId: null, senderUsername: null })

  it('[CHAT-20] has the sender and the first 100 characters of the original', () => {
    const original = send(`uzun ${'x'.repeat(200)}`)
    send('cevap', { replyToId: original })
    const content = `Uzun ${'x'.repeat(95)}…`
    expect(quotesSeenBy(can)).toEqual([undefined, { id: original, content, senderId: ada, senderUsername: 'ada' }])
  })

  it('[CHAT-20] has the sender’s current name', () => {
    send('cevap', { replyToId: send('asıl') })
    database.db.prepare("update user set username = 'adacık' where id = ?").run(ada)
    expect(quotesSeenBy(can).at(-1)).toMatchObject({ senderUsername: 'adacık' })
  })

  it('[CHAT-21] is empty for a deleted original, one of another room, an unknown id, and the reply itself', () => {
    const removed = send('silinecek')
    const elsewhere = send('gizli', { roomId: 2 })
    for (const replyToId of [removed, elsewhere, 999, 6]) send('cevap', { replyToId })
    database.db.prepare('delete from message where id = ?').run(removed)
    expect(quotesSeenBy(can)).toEqual([
      unavailableQuote(removed),
      unavailableQuote(elsewhere),
      unavailableQuote(999),
      unavailableQuote(6),
    ])
  })

  it('[CHAT-21] stays empty when a later message gets the quoted id', () => {
    send('cevap', { replyToId: 2 })
    expect(send('sonra')).toBe(2)
    expect(quotesSeenBy(can)[0]).toEqual(unavailableQuote(2))
  })
})

describe('replies, mentions and typing on connections', () => {
  let site: TestRegion
  let ada: TestUser
  let can: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createRootAdmin('ada')
    can = await site.createGuest('Can.')
  })
  afterEach(() => site.destroy())

  const send = async (client: TestClient, content: string, more: object = {}) => {
    const sent = await client.request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
    return sent as { success: true; id: number }
  }
  const receivedMessage = (client: TestClient, { id }: { id: number }) =>
    client.waitForEvent('message', (message) => message.id === id)

  it('[CHAT-20] [CHAT-13] the event carries the same quote as the page', async () => {
    const [first, second] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
    const original = await send(first, 'asıl söz')
    const answer = await send(first, 'cevap', { replyTo: { id: original.id, content: 'uydurma', senderUsername: 'x' } })
    for (const client of [first, second]) {
      const message = await receivedMessage(client, answer)
      expect(message.replyTo).toEqual({
        id: original.id,
        content: 'Asıl söz',
        senderId: ada.userId,
        senderUsername: 'ada',
      })
      expect(
        listLatestMessages(site.appContext.reader, 1, { ...can, role: 'guest', blockedIds: NO_BLOCKS }).at(-1),
      ).toEqual(message)
    }
  })

  it('[CHAT-24] the @ stays before names that exist, compared by folded form, and is removed before others', async () => {
    const client = await site.connectAs(ada, 1)
    await site.createGuest('Işıl')
    const sent = await send(client, '@IŞIL ve @yok, @[{can.}] @[{Hiçkimse}] ali@yok.example @ada')
    const { content } = await receivedMessage(client, sent)
    expect(content).toBe('@IŞIL ve yok, @[{can.}] Hiçkimse ali@yok.example @ada')
  })

  it('[CHAT-03] [CHAT-24] a leading name that loses its @ is capitalised', async () => {
    const client = await site.connectAs(ada, 1)
    expect((await receivedMessage(client, await send(client, '@izmirli selam'))).content).toBe('İzmirli selam')
  })

  it('[CHAT-24] at most 20 names of a message are looked up', async () => {
    const client = await site.connectAs(ada, 1)
    const strangers = Array.from({ length: 20 }, (_, index) => `@yok${index}`).join(' ')
    const sent = await send(client, `${strangers} @[{can.}]`)
    expect((await receivedMessage(client, sent)).content).toMatch(/yok19 can\.$/)
  })

  it('[CHAT-25] a mentioned user is notified once in any room, and nobody else is', async () => {
    const speaker = await site.connectAs(ada, 1)
    const mentioned = await site.connectAs(can, 2)
    const bystander = await site.connectAs(await site.createGuest('deniz'), 1)
    const sent = await send(speaker, '@[{Can.}] gel, @[can.] @ada @yok')
    expect(await mentioned.waitForEvent('mentionNotification')).toEqual({
      mentionedUsername: 'Can.',
      userId: can.userId,
      isGuest: true,
      roomId: 1,
      content: '@[{Can.}] gel, @[can.] @ada yok',
      messageSender: 'ada',
      messageId: sent.id,
    })
    await receivedMessage(bystander, sent)
    const counts = [speaker, mentioned, bystander].map((client) => client.countEvents('mentionNotification'))
    expect(counts).toEqual([0, 1, 0])
  })

  it('[CHAT-59] the event of a mention has only the beginning of a long message', async () => {
    const speaker = await site.connectAs(ada, 1)
    const mentioned = await site.connectAs(can, 2)
    const sent = await send(speaker, `@[{Can.}] ${'uzun '.repeat(390)}`)
    expect(await mentioned.waitForEvent('mentionNotification')).toMatchObject({
      content: `@Can. ${'uzun '.repeat(18)}uzun…`,
      messageId: sent.id,
    })
    const notification = await mentioned.waitForEvent('newNotification')
    expect(String(notification.content).length).toBeLessThanOrEqual(MAX_NOTIFICATION_LENGTH + 1)
    expect((await receivedMessage(speaker, sent)).content).toContain('uzun '.repeat(389))
  })

  it('[CHAT-25] [CHAT-12] a client’s own mentionNotification reaches nobody and cannot name another sender', async () => {
    const speaker = await site.connectAs(ada, 1)
    const mentioned = await site.connectAs(can, 1)
    const input = { mentionedUsername: 'Can.', roomId: 1, content: 'uydurma', userId: can.userId, isGuest: true }
    expect(await speaker.request('mentionNotification', { ...input, messageSender: 'ada' })).toEqual({ success: true })
    expect(await speaker.request('mentionNotification', { ...input, messageSender: 'deniz' })).toMatchObject({
      code: 'ActorMismatch',
    })
    await receivedMessage(mentioned, await send(speaker, 'sonra'))
    expect(mentioned.countEvents('mentionNotification')).toBe(0)
  })

  it('[CHAT-29] typing reaches only the room and is not logged', async () => {
    const [speaker, listener] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
    const elsewhere = await site.connectAs(await site.createGuest('deniz'), 2)
    const before = site.appContext.reader.cursor()
    expect(await speaker.request('typing', { roomId: 1 })).toEqual({ success: true })
    expect(await listener.waitForEvent('typing')).toEqual({ roomId: 1, users: [{ id: ada.userId, username: 'ada' }] })
    expect(await speaker.request('typing', { roomId: 2 })).toMatchObject({ code: 'NotInRoom' })
    expect(await elsewhere.request('getRooms', {})).toHaveProperty('rooms')
    expect([elsewhere.countEvents('typing'), site.appContext.reader.cursor()]).toEqual([0, before])
  })
})
