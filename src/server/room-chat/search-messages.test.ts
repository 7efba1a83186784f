import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_BLOCKS } from '../live/visibility.ts'
import { openTestDatabase, type TestDatabase } from '../testing/fixtures/test-database.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'
import { SEARCH_PAGE_SIZE, searchMessages } from './search-messages.ts'

describe('searching, in the database', () => {
  let base: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    base = await openTestDatabase()
    ada = base.addMember('ada', 'rootadmin')
    can = base.addMember('can')
  })
  afterEach(() => base.close())

  const say = (content: string, roomId = 1): number => {
    const clientId = randomUUID()
    const actor = { userId: ada, sessionId: ada }
    const done = base.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: { roomId, content, clientId, inRoomForMs: 60_000 },
    })
    return (done.answer as { id: number }).id
  }
  const index = (): void => {
    while ((base.run({ command: 'indexMessages' }).answer as { more: boolean }).more);
  }
  const find = (
    text: string,
    { roomId = 1, before, by = can }: { roomId?: number; before?: number; by?: number } = {},
  ) =>
    searchMessages(base.read, {
      viewer: { userId: by, sessionId: by, role: 'member', blockedIds: NO_BLOCKS },
      roomId,
      text,
      before,
    })
  const found = (...asked: Parameters<typeof find>) => find(...asked).messages.map(({ content }) => content)
  const words = () => base.db.prepare('select count(*) from messageWord').pluck().get()

  it('[CHAT-32] finds what has all the words, whatever their case and i, newest first', () => {
    for (const content of ['Işık açık kaldı', 'IŞIK gitti', 'Kapı açık', 'açık ışık', 'Öldü mü oldu mu', 'kâğıt']) {
      say(content)
    }
    index()
    expect(found('ışık')).toEqual(['Açık ışık', 'IŞIK gitti', 'Işık açık kaldı'])
    expect(found('İŞİK AÇIK')).toEqual(['Açık ışık', 'Işık açık kaldı'])
    expect(found('oldu öldü')).toEqual(['Öldü mü oldu mu'])
    expect(found('kagit')).toEqual([])
    expect(found('kağıt')).toEqual(['Kâğıt'])
  })

  it('[CHAT-33] takes the last word by its beginning and the others whole', () => {
    for (const content of ['Merhabalar herkese', 'Merhaba herkes', 'Herkes merhaba']) say(content)
    index()
    expect(found('merh')).toEqual(['Herkes merhaba', 'Merhaba herkes', 'Merhabalar herkese'])
    expect(found('merhaba her')).toEqual(['Herkes merhaba', 'Merhaba herkes'])
    expect(found('merh herkes')).toEqual([])
  })

  it.each(['"', '* OR herkes', 'a" OR "b', 'words:her', '^her', "'; drop table message;--", 'NEAR(her kes)'])(
    '[CHAT-33] takes %j for words and nothing else',
    (text) => {
      say('Herkes')
      index()
      expect(() => find(text)).not.toThrow()
      expect(found('herkes')).toEqual(['Herkes'])
    },
  )

  it('[CHAT-34] looks in one room only, and pages from the newest back', () => {
    for (let i = 1; i <= 2 * SEARCH_PAGE_SIZE + 5; i++) {
      say(`elma ${i}`)
      say(`elma ${i}`, 2)
    }
    index()
    const pages = [find('elma')]
    for (let last = pages[0]; last?.before !== undefined; last = pages.at(-1)) {
      pages.push(find('elma', { before: last.before }))
    }
    expect(pages.map(({ messages }) => messages.length)).toEqual([SEARCH_PAGE_SIZE, SEARCH_PAGE_SIZE, 5])
    const all = pages.flatMap(({ messages }) => messages)
    expect(all.map(({ content }) => content)).toEqual(Array.from({ length: 45 }, (_, at) => `Elma ${45 - at}`))
    expect(new Set(all.map(({ roomId }) => roomId))).toEqual(new Set([1]))
  })

  it('[CHAT-34] goes through every part of a long index', () => {
    const insert = base.db.prepare("insert into message values (?, 1, ?, ?, 0, null, 'x', 0, null)")
    for (const id of [3, 65_535, 65_536, 200_000, 1_000_000]) insert.run(id, ada, `Nar ${id}`)
    index()
    expect(found('nar')).toEqual(['Nar 1000000', 'Nar 200000', 'Nar 65536', 'Nar 65535', 'Nar 3'])
    expect(found('nar', { before: 65_536 })).toEqual(['Nar 65535', 'Nar 3'])
    expect(find('yok').before).toBeUndefined()
  })

  it('[CHAT-31] finds nothing that was taken away, nor in its place what has its id now', () => {
    const first = say('Gizli bir söz')
    index()
    const last = say('Gizli iki söz')
    index()
    base.db.prepare('delete from message where id = ?').run(last)
    expect(found('gizli')).toEqual(['Gizli bir söz'])
    expect(say('Armut')).toBe(last)
    index()
    expect([found('iki'), found('armut')]).toEqual([[], ['Armut']])
    base.db.prepare("update message set content = 'silindi' where id = ?").run(first)
    expect(found('gizli')).toEqual([])
    base.db.prepare('delete from message').run()
    index()
    expect(words()).toBe(0)
  })

  it('[CHAT-31] finds nothing whose audience the viewer is not in', () => {
    say('Herkese elma')
    const hidden = say('Bana elma')
    index()
    base.db.prepare("update message set audience = 'actor' where id = ?").run(hidden)
    expect(found('elma')).toEqual(['Herkese elma'])
    expect(found('elma', { by: ada })).toEqual(['Bana elma', 'Herkese elma'])
  })

  it('indexes in small steps, each message once, and starts over where a step was lost', () => {
    for (let i = 0; i < 250; i++) say(`elma ${i}`)
    expect(base.run({ command: 'indexMessages' }).answer).toEqual({ more: true })
    expect(words()).toBe(100)
    index()
    index()
    expect(words()).toBe(250)
  })
})

describe('searching, over the line', () => {
  let site: TestRegion
  let ada: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createGuest('ada')
  })
  afterEach(() => site.destroy())

  it('[CHAT-32] finds what was just said, and again after a restart', async () => {
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'kırmızı elma' })
    await indexed(1)
    const asked = { roomId: 1, text: 'KIRMIZI el' }
    const answer = await client.request('searchMessages', asked)
    expect(answer).toMatchObject({ roomId: 1, messages: [{ content: 'Kırmızı elma', senderUsername: 'ada' }] })
    await site.restart()
    expect(await (await site.connectAs(ada, 1)).request('searchMessages', asked)).toEqual(answer)
  })

  it('[CHAT-30] [CHAT-33] refuses who is not in the room, and what is too short', async () => {
    const client = await site.connectAs(ada, 2)
    const notHere = { code: 'NotInRoom', message: 'Mesajları görmek için önce odaya girmelisiniz.' }
    expect(await client.request('searchMessages', { roomId: 1, text: 'elma' })).toMatchObject(notHere)
    expect(await client.request('searchMessages', { roomId: 2, text: 'a .' })).toMatchObject({
      code: 'InvalidInput',
      path: 'text',
      message: 'Aramak için en az 2 harf yazın.',
    })
  })

  it('[CHAT-30] tells nothing to who leaves the room while it is looked for', async () => {
    const client = await site.connectAs(ada, 1)
    const asking = client.request('searchMessages', { roomId: 1, text: 'elma' })
    await client.request('joinRoom', { roomId: 2 })
    expect(await asking).toMatchObject({ code: 'NotInRoom' })
  })

  it('[CHAT-34] lets one person search thirty times at once, then two times a second', async () => {
    const client = await site.connectAs(ada, 1)
    const search = () => client.request('searchMessages', { roomId: 1, text: 'elma' })
    const answers = await Promise.all(Array.from({ length: 31 }, search))
    expect(answers.filter((answer) => 'messages' in answer)).toHaveLength(30)
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    site.clockOffset.aheadMs += 500
    expect(await search()).toHaveProperty('messages')
  })

  /** Resolves when the index has come as far as this message. */
  async function indexed(id: number): Promise<void> {
    await expect
      .poll(() => site.appContext.reader.get({ sql: 'select indexedUpToId from messageIndex', bind: () => [] }), {
        timeout: 10_000,
      })
      .toEqual({ indexedUpToId: id })
  }
})
