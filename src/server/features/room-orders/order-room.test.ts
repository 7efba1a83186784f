import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_OWNED_ROOMS } from '../../../shared/room-orders/own-room.ts'
import { addMonths } from '../../../shared/room-orders/term-rules.ts'
import { openRoomOrderApi, type RoomOrderApi } from '../../testing/fixtures/room-orders.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'

let site: RoomOrderApi
let ada: TestUser
let lastName = 0

beforeAll(async () => {
  site = await openRoomOrderApi()
  ada = await site.createBuyer('ada', 1_000_000)
})
afterAll(() => site.api.close())

const newName = () => `Salon ${++lastName}`
const countRows = (sql: string) => Object.values(site.select(`select count(*) from ${sql}`)[0] ?? {})[0]
const roomOf = ({ body }: { body: Record<string, unknown> }) => body.room as Record<string, number>
const setPrice = (lira: number) => site.runSql(`update capacityOption set priceKurus = ${lira * 100} where id = 1`)

describe('an order', () => {
  it('[ORDER-03] gives a room of the chosen options for their price, and answers with it', async () => {
    const name = newName()
    const before = site.balance(ada)
    const now = Date.now()
    const answer = await site.order(ada, { name, capacityOptionId: 2, durationOptionId: 2, isList: true })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    const room = roomOf(answer)
    expect(room).toMatchObject({
      name,
      capacity: 50,
      isList: true,
      isActive: true,
      ownerId: ada.userId,
      activeUsers: 0,
    })
    expect(room.expiryDate).toBeGreaterThanOrEqual(addMonths(now, 3))
    expect(room.expiryDate).toBeLessThanOrEqual(addMonths(Date.now(), 3))
    // 175 less 10 percent, and 10 for the list, rounded to the nearest lira.
    expect(before - site.balance(ada)).toBe(168)
    const details = (await site.api.get(`/api/rooms/${room.id}`)).body
    expect(details).toMatchObject({
      ownerUsername: 'ada',
      room: { capacityOptionId: 2, durationOptionId: 2, duration: 3, discount: 0.1, price: 168 },
    })
    expect(site.select(`select kind from ledgerTransaction where referenceId = ${room.id}`)).toEqual([
      { kind: 'roomOrder' },
    ])
  })

  it('[ORDER-03] costs 10 lira less when it is not listed, and is in no list', async () => {
    const before = site.balance(ada)
    const room = roomOf(await site.order(ada, { name: newName(), isList: false }))
    expect(before - site.balance(ada)).toBe(100)
    const listed = (await (await site.api.send('/api/rooms')).json()) as { id: number }[]
    expect(listed.map(({ id }) => id)).not.toContain(room.id)
  })

  it('[ORDER-03] is for members: a guest is refused', async () => {
    const guest = await site.api.region.createGuest('konuk')
    expect(await site.order(guest, { name: newName() })).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
  })

  it('[ORDER-09] needs its options, which must still exist', async () => {
    const before = site.balance(ada)
    for (const field of ['name', 'capacityOptionId', 'durationOptionId']) {
      const { status, body } = await site.order(ada, { name: newName(), [field]: undefined })
      expect([status, body.message]).toEqual([422, 'Lütfen tüm alanları doldurunuz!'])
    }
    for (const field of ['capacityOptionId', 'durationOptionId']) {
      const { status, body } = await site.order(ada, { name: newName(), [field]: 999 })
      expect([status, body.path, body.message]).toEqual([404, field, 'Bu seçenek artık yok. Lütfen yeniden seç.'])
    }
    expect(site.balance(ada)).toBe(before)
  })

  it('[ORDER-06] is refused with the price of now when another one was shown, and nothing is charged', async () => {
    const before = site.balance(ada)
    const name = newName()
    setPrice(120)
    const { status, body } = await site.order(ada, { name, price: 110 })
    expect([status, body.code, body.price]).toEqual([409, 'PriceChanged', 130])
    expect(site.balance(ada)).toBe(before)
    expect(await site.order(ada, { name, price: 130 })).toMatchObject({ status: 200 })
    expect(before - site.balance(ada)).toBe(130)
    setPrice(100)
  })

  it.each([-1, 1.5e9, 'on', null])('[ORDER-06] takes no price of %s', async (price) => {
    expect(await site.order(ada, { name: newName(), price })).toMatchObject({ status: 422, body: { path: 'price' } })
  })

  it('[ORDER-08] is refused when the member owns 50 rooms, deactivated ones counted', async () => {
    const collector = await site.createBuyer('koleksiyoncu')
    for (let index = 1; index < MAX_OWNED_ROOMS; index++)
      site.runSql(
        `insert into room (name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
         values ('K ${index}', 'k ${index}', 10, 0, ${index % 2}, ${collector.userId}, 0, 0)`,
      )
    expect(await site.order(collector, { name: newName() })).toMatchObject({ status: 200 })
    const before = site.balance(collector)
    expect((await site.order(collector, { name: newName() })).body).toMatchObject({ code: 'TooManyRooms' })
    expect(site.balance(collector)).toBe(before)
  })
})

describe('the name of a room', () => {
  it.each(['A', '7', 'Kitap Kulübü', 'gece_kuşları-2.0', '  Boşluklu  ', 'ＧＥＮＩＳ'])(
    '[ORDER-01] may be %s',
    async (name) => {
      const { status, body } = await site.order(ada, { name })
      expect(status).toBe(200)
      expect((body.room as { name: string }).name).toBe(name.normalize('NFKC').trim())
    },
  )

  it.each([
    ['', 'Oda adınız en az 1 harf olmalıdır!'],
    ['   ', 'Oda adınız en az 1 harf olmalıdır!'],
    ['a'.repeat(31), 'Oda adı en fazla 30 karakter olabilir.'],
    ['iki  boşluk', /tek boşluk/],
    ['<b>kalın</b>', /yalnızca harf/],
    ['_alt', /harf ya da rakamla başlamalı/],
    ['са́лон', /yalnızca harf/],
    ['gizli\u200Bharf', /yalnızca harf/],
    ['Meydan 2', 'Bu oda adı kullanılamaz.'],
    ['A D M I N', 'Bu oda adı kullanılamaz.'],
    ['Meydancılar', 'Bu oda adı kullanılamaz.'],
    ['Kral AdmIn Odası', 'Bu oda adı kullanılamaz.'],
  ])('[ORDER-01] may not be %j', async (name, message) => {
    const { status, body } = await site.order(ada, { name })
    expect([status, body.path]).toEqual([422, 'name'])
    expect(body.message).toMatch(message)
  })

  it.each(['Isıtma', 'ISITMA', 'isitma', 'ＩSITMA', ' ısıtma '])(
    '[ORDER-02] is unique when folded: %s',
    async (name) => {
      await site.order(ada, { name: 'ısıtma' })
      const before = site.balance(ada)
      const { status, body } = await site.order(ada, { name })
      expect([status, body.code, body.path]).toEqual([409, 'RoomNameTaken', 'name'])
      expect(site.balance(ada)).toBe(before)
    },
  )

  it.each(['KahvehaneI', 'Kahvehane1'])('[ACC-88] is not confusable with another one: %s', async (name) => {
    await site.order(ada, { name: 'Kahvehanel' })
    const before = site.balance(ada)
    const { status, body } = await site.order(ada, { name })
    expect([status, body.code, body.path]).toEqual([409, 'RoomNameTaken', 'name'])
    expect(site.balance(ada)).toBe(before)
  })

  it('[ORDER-02] goes to one of 50 orders at once, and only that one pays', async () => {
    const buyers = await Promise.all(Array.from({ length: 50 }, (_, index) => site.createBuyer(`alıcı${index}`, 200)))
    const answers = await Promise.all(buyers.map((buyer) => site.order(buyer, { name: 'Herkesinki' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'RoomNameTaken')).toHaveLength(49)
    expect(buyers.map(site.balance).toSorted((a, b) => a - b)).toEqual([90, ...Array(49).fill(200)])
    expect(countRows("room where foldedName = 'herkesinki'")).toBe(1)
  })
})

describe('the balance', () => {
  it('[ORDER-05] that is too low is said with what is missing, and nothing changes', async () => {
    const poor = await site.createBuyer('fakir', 109)
    const name = newName()
    const { status, body } = await site.order(poor, { name })
    expect([status, body.code, body.missing]).toEqual([409, 'InsufficientBalance', 1])
    expect(site.balance(poor)).toBe(109)
    expect(countRows(`room where name = '${name}'`)).toBe(0)
    expect(countRows(`roomOrder where userId = ${poor.userId}`)).toBe(0)
  })

  it('[ORDER-05] pays one of 50 orders at once when it has money for one', async () => {
    const buyer = await site.createBuyer('hızlı', 110)
    const answers = await Promise.all(Array.from({ length: 50 }, () => site.order(buyer, { name: newName() })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'InsufficientBalance')).toHaveLength(49)
    expect(site.balance(buyer)).toBe(0)
    expect(countRows(`room where ownerId = ${buyer.userId}`)).toBe(1)
  })

  it('[ORDER-05] pays once for an order that is sent again under its key', async () => {
    const buyer = await site.createBuyer('tekrarcı', 500)
    const [key, name] = [randomUUID(), newName()]
    const answers = await Promise.all(Array.from({ length: 5 }, () => site.order(buyer, { name }, key)))
    expect(new Set(answers.map((answer) => roomOf(answer).id)).size).toBe(1)
    expect(site.balance(buyer)).toBe(390)
  })
})

describe('roomCreated', () => {
  const isRoom = (id: number | undefined) => (payload: Record<string, unknown>) =>
    (payload.room as { id: number }).id === id

  it('[ORDER-07] of a listed room goes to everyone', async () => {
    const bystander = await site.api.region.connectAs(await site.api.region.createGuest('seyirci'))
    const name = newName()
    const { id } = roomOf(await site.order(ada, { name }))
    expect(await bystander.waitForEvent('roomCreated', isRoom(id))).toEqual({
      room: { id, name, activeUsers: 0 },
      isList: true,
    })
    expect(bystander.countEvents('ownRoomsChanged')).toBe(0)
    bystander.disconnect()
  })

  it('[ORDER-07] of an unlisted room goes to its owner alone', async () => {
    const { region } = site.api
    const root = await region.createRootAdmin('yönetici')
    const others = await Promise.all([
      region.connectAs(await region.createGuest('öteki'), 1),
      region.connectAs(await region.createMember('üye'), 2),
      region.connectAs(root),
    ])
    const owner = await region.connectAs(ada)
    const { id } = roomOf(await site.order(ada, { name: newName(), isList: false }))
    expect(await owner.waitForEvent('roomCreated', isRoom(id))).toMatchObject({ isList: false })
    await owner.waitForEvent('ownRoomsChanged', ({ roomId }) => roomId === id)
    for (const other of others) {
      await other.request('getRooms', {})
      expect(other.transport.received.filter(([kind]) => kind === 4)).toEqual([])
    }
    for (const client of [owner, ...others]) client.disconnect()
  })
})
