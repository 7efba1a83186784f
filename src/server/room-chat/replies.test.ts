import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_BLOCKS } from '../live/visibility.ts'
import { openTestDatabase, type TestDatabase } from '../testing/fixtures/test-database.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'
import { listLatestMessages } from './queries.ts'

describe('an answer, in the writer', () => {
  let base: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    base = await openTestDatabase()
    ada = base.addMember('ada', 'rootadmin')
    can = base.addMember('can')
  })
  afterEach(() => base.close())

  const say = (content: string, { replyToId, roomId = 1 }: { replyToId?: number; roomId?: number } = {}): number => {
    const clientId = randomUUID()
    const { answer } = base.run({
      command: 'sendMessage',
      actor: { userId: ada, sessionId: 1 },
      clientId,
      input: { roomId, content, clientId, inRoomForMs: 60_000, ...(replyToId && { replyTo: { id: replyToId } }) },
    })
    return Number((answer as { id?: number } | undefined)?.id)
  }
  const quotesSeenBy = (userId: number) =>
    listLatestMessages(base.read, 1, { userId, sessionId: 1, role: 'member', blockedIds: NO_BLOCKS }).map(
      ({ replyTo }) => replyTo,
    )
  const gone = (id: number) => ({ id, content: null, senderId: null, senderUsername: null })

  it('[CHAT-20] quotes who said it and its first 100 characters', () => {
    const original = say(`uzun ${'x'.repeat(200)}`)
    say('cevap', { replyToId: original })
    const content = `Uzun ${'x'.repeat(95)}…`
    expect(quotesSeenBy(can)).toEqual([undefined, { id: original, content, senderId: ada, senderUsername: 'ada' }])
  })

  it('[CHAT-20] quotes the name that its sender has now', () => {
    say('cevap', { replyToId: say('asıl') })
    base.db.prepare("update user set username = 'adacık' where id = ?").run(ada)
    expect(quotesSeenBy(can).at(-1)).toMatchObject({ senderUsername: 'adacık' })
  })

  it('[CHAT-21] says nothing of an original that is gone, in another room, made up, or itself', () => {
    const removed = say('silinecek')
    const elsewhere = say('gizli', { roomId: 2 })
    for (const replyToId of [removed, elsewhere, 999, 6]) say('cevap', { replyToId })
    base.db.prepare('delete from message where id = ?').run(removed)
    expect(quotesSeenBy(can)).toEqual([gone(removed), gone(elsewhere), gone(999), gone(6)])
  })

  it('[CHAT-21] what comes later never becomes the quote of what was said before', () => {
    say('cevap', { replyToId: 2 })
    expect(say('sonra')).toBe(2)
    expect(quotesSeenBy(can)[0]).toEqual(gone(2))
  })

  it('[CHAT-21] shows an original that is for its sender alone to nobody else', () => {
    const hidden = say('yalnız ben')
    base.db.prepare("update message set audience = 'actor' where id = ?").run(hidden)
    say('cevap', { replyToId: hidden })
    expect(quotesSeenBy(can)).toEqual([gone(hidden)])
    expect(quotesSeenBy(ada).at(-1)).toMatchObject({ content: 'Yalnız ben' })
    const told = base.read.all({ sql: "select payload from event where name = 'message' order by seq", bind: () => [] })
    expect(Buffer.from((told.at(-1) as { payload: Uint8Array }).payload).includes('Yalnız')).toBe(false)
  })
})

describe('answers and mentions, over the line', () => {
  let site: TestRegion
  let ada: TestUser
  let can: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createRootAdmin('ada')
    can = await site.createGuest('Can.')
  })
  afterEach(() => site.destroy())

  const say = async (client: TestClient, content: string, more: object = {}) => {
    const said = await client.request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
    return said as { success: true; id: number }
  }
  const heardOf = (client: TestClient, { id }: { id: number }) => client.waitForEvent('message', (one) => one.id === id)

  it('[CHAT-20] [CHAT-13] everyone hears the quote that a page shows', async () => {
    const [first, second] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
    const original = await say(first, 'asıl söz')
    const answer = await say(first, 'cevap', { replyTo: { id: original.id, content: 'uydurma', senderUsername: 'x' } })
    for (const client of [first, second]) {
      const message = await heardOf(client, answer)
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

  it('[CHAT-24] keeps the @ of names that somebody has, letters folded, and takes every other away', async () => {
    const client = await site.connectAs(ada, 1)
    await site.createGuest('Işıl')
    const said = await say(client, '@IŞIL ve @yok, @[{can.}] @[{Hiçkimse}] ali@yok.example @ada')
    const { content } = await heardOf(client, said)
    expect(content).toBe('@IŞIL ve yok, @[{can.}] Hiçkimse ali@yok.example @ada')
  })

  it('[CHAT-03] [CHAT-24] a name that comes first without its @ is capitalised', async () => {
    const client = await site.connectAs(ada, 1)
    expect((await heardOf(client, await say(client, '@izmirli selam'))).content).toBe('İzmirli selam')
  })

  it('[CHAT-24] looks up no more than 20 names', async () => {
    const client = await site.connectAs(ada, 1)
    const strangers = Array.from({ length: 20 }, (_, index) => `@yok${index}`).join(' ')
    const said = await say(client, `${strangers} @[{can.}]`)
    expect((await heardOf(client, said)).content).toMatch(/yok19 can\.$/)
  })

  it('[CHAT-25] tells whoever is mentioned once, wherever they are, and nobody else', async () => {
    const speaker = await site.connectAs(ada, 1)
    const mentioned = await site.connectAs(can, 2)
    const bystander = await site.connectAs(await site.createGuest('deniz'), 1)
    const said = await say(speaker, '@[{Can.}] gel, @[can.] @ada @yok')
    expect(await mentioned.waitForEvent('mentionNotification')).toEqual({
      mentionedUsername: 'Can.',
      userId: can.userId,
      isGuest: true,
      roomId: 1,
      content: '@[{Can.}] gel, @[can.] @ada yok',
      messageSender: 'ada',
      messageId: said.id,
    })
    await heardOf(bystander, said)
    const counts = [speaker, mentioned, bystander].map((client) => client.countEvents('mentionNotification'))
    expect(counts).toEqual([0, 1, 0])
  })

  it('[CHAT-25] [CHAT-12] a client tells nobody by itself, and cannot speak for another', async () => {
    const speaker = await site.connectAs(ada, 1)
    const mentioned = await site.connectAs(can, 1)
    const made = { mentionedUsername: 'Can.', roomId: 1, content: 'uydurma', userId: can.userId, isGuest: true }
    expect(await speaker.request('mentionNotification', { ...made, messageSender: 'ada' })).toEqual({ success: true })
    expect(await speaker.request('mentionNotification', { ...made, messageSender: 'deniz' })).toMatchObject({
      code: 'ActorMismatch',
    })
    await heardOf(mentioned, await say(speaker, 'sonra'))
    expect(mentioned.countEvents('mentionNotification')).toBe(0)
  })

  it('[CHAT-29] that somebody writes is heard in the room alone and is not kept', async () => {
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
