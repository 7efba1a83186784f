import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_BLOCKS } from '../../kernel/live/visibility.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { BIG_ROOM_MESSAGES, SEARCH_BUDGET_MS, SEARCH_PAGE_SIZE, searchMessages } from './search-messages.ts'

describe('the search index', () => {
  let database: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    database = await openTestDatabase()
    ada = database.addMember('ada', 'rootadmin')
    can = database.addMember('can')
  })
  afterEach(() => database.close())

  const send = (content: string, roomId = 1): number => {
    const clientId = randomUUID()
    const actor = { userId: ada, sessionId: ada }
    const result = database.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: { roomId, content, clientId, inRoomForMs: 60_000 },
    })
    return (result.answer as { id: number }).id
  }
  const index = (): void => {
    while ((database.run({ command: 'indexMessages' }).answer as { more: boolean }).more);
  }
  const find = (
    text: string,
    {
      roomId = 1,
      before,
      by = can,
      blockedIds = NO_BLOCKS,
    }: { roomId?: number; before?: number; by?: number; blockedIds?: ReadonlySet<number> } = {},
    now = () => 0, // a busy machine must not end a search early
  ) =>
    searchMessages(
      database.read,
      { viewer: { userId: by, sessionId: by, role: 'member', blockedIds }, roomId, text, before },
      now,
    )
  const insertRows = (ids: number[], toText: (id: number) => string, senderId = ada): void => {
    const insert = database.db.prepare(
      'insert into message (id, roomId, senderId, content, consecutiveCount, clientId, createdAt) values (?, 1, ?, ?, 0, ?, 0)',
    )
    database.db.transaction(() => ids.forEach((id) => void insert.run(id, senderId, toText(id), `${id}`)))()
  }
  const findContents = (...args: Parameters<typeof find>) => find(...args).messages.map(({ content }) => content)
  const countIndexed = () => database.db.prepare('select count(*) from messageWord').pluck().get()

  it('[CHAT-32] finds messages with all words, whatever their letter case and kind of i, newest first', () => {
    for (const content of ['Işık açık kaldı', 'IŞIK gitti', 'Kapı açık', 'açık ışık', 'Öldü mü oldu mu', 'kâğıt']) {
      send(content)
    }
    index()
    expect(findContents('ışık')).toEqual(['Açık ışık', 'IŞIK gitti', 'Işık açık kaldı'])
    expect(findContents('İŞİK AÇIK')).toEqual(['Açık ışık', 'Işık açık kaldı'])
    expect(findContents('oldu öldü')).toEqual(['Öldü mü oldu mu'])
    expect(findContents('kagit')).toEqual([])
    expect(findContents('kağıt')).toEqual(['Kâğıt'])
  })

  it('[CHAT-33] matches the last word as a prefix and the others whole', () => {
    for (const content of ['Merhabalar herkese', 'Merhaba herkes', 'Herkes merhaba']) send(content)
    index()
    expect(findContents('merh')).toEqual(['Herkes merhaba', 'Merhaba herkes', 'Merhabalar herkese'])
    expect(findContents('merhaba her')).toEqual(['Herkes merhaba', 'Merhaba herkes'])
    expect(findContents('merh herkes')).toEqual([])
  })

  it.each(['"', '* OR herkes', 'a" OR "b', 'words:her', '^her', "'; drop table message;--", 'NEAR(her kes)'])(
    '[CHAT-33] treats %j as words, not as query syntax',
    (text) => {
      send('Herkes')
      index()
      expect(() => find(text)).not.toThrow()
      expect(findContents('herkes')).toEqual(['Herkes'])
    },
  )

  it('[CHAT-34] searches one room and pages from the newest message back', () => {
    for (let i = 1; i <= 2 * SEARCH_PAGE_SIZE + 5; i++) {
      send(`elma ${i}`)
      send(`elma ${i}`, 2)
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
    const inOther = find('elma', { roomId: 2 }).messages.map(({ roomId }) => roomId)
    expect(inOther).toEqual(Array.from({ length: SEARCH_PAGE_SIZE }, () => 2))
  })

  it('[CHAT-34] searches every shard of a long index', () => {
    insertRows([3, 65_535, 65_536, 200_000, 1_000_000], (id) => `Nar ${id}`)
    index()
    expect(findContents('nar')).toEqual(['Nar 1000000', 'Nar 200000', 'Nar 65536', 'Nar 65535', 'Nar 3'])
    expect(findContents('nar', { before: 65_536 })).toEqual(['Nar 65535', 'Nar 3'])
    expect(find('yok').before).toBeUndefined()
  })

  it('[CHAT-51] returns what it has found when its time is up, and goes on from there', () => {
    insertRows([3, 65_536, 200_000, 1_000_000], (id) => `Nar ${id}`)
    index()
    let now = 0
    // Each read takes more than half of the budget.
    const slow = () => (now += SEARCH_BUDGET_MS * 0.6)
    const pages = [find('nar', {}, slow)]
    for (let last = pages[0]; last?.before !== undefined; last = pages.at(-1)) {
      pages.push(find('nar', { before: last.before }, slow))
    }
    expect(pages.length).toBeGreaterThan(4)
    expect(pages.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual([1_000_000, 200_000, 65_536, 3])
    expect(pages.every(({ messages }) => messages.length <= 2)).toBe(true)
  })

  it('[CHAT-53] indexes at most 200 words of a message, and merges at most 8 whole words and a prefix in a search', () => {
    const words = Array.from({ length: 250 }, (_, at) => `k${at}k`)
    send(words.join(' '))
    index()
    expect([findContents('k199k'), findContents('k200k')].map(({ length }) => length)).toEqual([1, 0])
    const nine = words.slice(0, 9)
    expect(find([...nine, 'k1'].join(' ')).messages).toHaveLength(1)
    expect(find([...nine.slice(0, 7), 'yok', 'k1'].join(' ')).messages).toHaveLength(0)
    expect(find([...nine.slice(0, 8), 'yok', 'k1'].join(' ')).messages).toHaveLength(1)
  })

  it('[CHAT-54] needs three letters for a beginning in a room of more than 5,000 messages', () => {
    const ids = Array.from({ length: BIG_ROOM_MESSAGES }, (_, at) => at + 1)
    insertRows(ids, (id) => (id === 1 ? 'Evler ev' : id === 2 ? 'Evler' : 'x'))
    index()
    expect(findContents('ev')).toEqual(['Evler', 'Evler ev'])
    insertRows([BIG_ROOM_MESSAGES + 1], () => 'Çok')
    index()
    expect(findContents('ev')).toEqual(['Evler ev'])
    expect(findContents('evl')).toEqual(['Evler', 'Evler ev'])
    expect(findContents('evler ev')).toEqual(['Evler ev'])
  })

  it('[CHAT-31] finds no deleted message, and no later message with a reused id in its place', () => {
    const first = send('Gizli bir söz')
    index()
    const last = send('Gizli iki söz')
    index()
    database.db.prepare('delete from message where id = ?').run(last)
    expect(findContents('gizli')).toEqual(['Gizli bir söz'])
    expect(send('Armut')).toBe(last)
    index()
    expect([findContents('iki'), findContents('armut')]).toEqual([[], ['Armut']])
    database.db.prepare("update message set content = 'silindi' where id = ?").run(first)
    expect(findContents('gizli')).toEqual([])
    database.db.prepare('delete from message').run()
    index()
    expect(countIndexed()).toBe(0)
  })

  it('[CHAT-31] finds no message whose audience excludes the viewer', () => {
    send('Herkese elma')
    const hidden = send('Bana elma')
    index()
    database.db.prepare("update message set audience = 'actor' where id = ?").run(hidden)
    expect(findContents('elma')).toEqual(['Herkese elma'])
    expect(findContents('elma', { by: ada })).toEqual(['Bana elma', 'Herkese elma'])
  })

  it('[REL-12] fills a page up with earlier messages where blocks leave newer ones out', () => {
    const ids = Array.from({ length: 2 * SEARCH_PAGE_SIZE }, (_, at) => at + 1)
    const deniz = database.addMember('deniz')
    insertRows(ids.slice(0, SEARCH_PAGE_SIZE), () => 'Elma')
    insertRows(ids.slice(SEARCH_PAGE_SIZE), () => 'Elma', deniz)
    index()
    const { messages } = find('elma', { blockedIds: new Set([deniz]) })
    expect(messages.map(({ id }) => id)).toEqual(ids.slice(0, SEARCH_PAGE_SIZE).reverse())
  })

  it('indexes in steps of 100, each message once', () => {
    for (let i = 0; i < 250; i++) send(`elma ${i}`)
    expect(database.run({ command: 'indexMessages' }).answer).toEqual({ more: true })
    expect(countIndexed()).toBe(100)
    index()
    index()
    expect(countIndexed()).toBe(250)
  })
})

describe('the searchMessages handler', () => {
  let site: TestRegion
  let ada: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createGuest('ada')
  })
  afterEach(() => site.destroy())

  it('[CHAT-32] finds a message right after it was sent, and again after a restart', async () => {
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'kırmızı elma' })
    await waitUntilIndexed(1)
    const input = { roomId: 1, text: 'KIRMIZI el' }
    const answer = await client.request('searchMessages', input)
    expect(answer).toMatchObject({ roomId: 1, messages: [{ content: 'Kırmızı elma', senderUsername: 'ada' }] })
    await site.restart()
    expect(await (await site.connectAs(ada, 1)).request('searchMessages', input)).toEqual(answer)
  })

  it('[CHAT-30] [CHAT-33] refuses a connection outside the room and a query that is too short', async () => {
    const client = await site.connectAs(ada, 2)
    const notInRoom = { code: 'NotInRoom', message: 'Mesajları görmek için önce odaya girmelisin.' }
    expect(await client.request('searchMessages', { roomId: 1, text: 'elma' })).toMatchObject(notInRoom)
    expect(await client.request('searchMessages', { roomId: 2, text: 'a .' })).toMatchObject({
      code: 'InvalidInput',
      path: 'text',
      message: 'Aramak için en az 2 harf yaz.',
    })
  })

  it('[CHAT-30] refuses a connection that leaves the room during the search', async () => {
    const client = await site.connectAs(ada, 1)
    const search = client.request('searchMessages', { roomId: 1, text: 'elma' })
    await client.request('joinRoom', { roomId: 2 })
    expect(await search).toMatchObject({ code: 'NotInRoom' })
  })

  it('[CHAT-34] allows thirty searches at once per user, then two a second', async () => {
    stopClock()
    const client = await site.connectAs(ada, 1)
    const search = () => client.request('searchMessages', { roomId: 1, text: 'elma' })
    const answers = await Promise.all(Array.from({ length: 31 }, search))
    expect(answers.filter((answer) => 'messages' in answer)).toHaveLength(30)
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    site.clockOffset.aheadMs += 500
    expect(await search()).toHaveProperty('messages')
  })

  /** Resolves when messages up to this id are indexed. */
  async function waitUntilIndexed(id: number): Promise<void> {
    await expect
      .poll(() => site.appContext.reader.get({ sql: 'select indexedUpToId from messageIndex', bind: () => [] }), {
        timeout: 10_000,
      })
      .toEqual({ indexedUpToId: id })
  }
})
