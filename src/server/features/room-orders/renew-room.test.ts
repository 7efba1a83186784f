import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMonths, GRACE_MS, RENEWAL_WINDOW_MS } from '../../../shared/room-orders/term-rules.ts'
import { sendMessage } from '../../model/conversations/send-to-room.ts'
import { openRoomOrderApi, type RoomOrderApi } from '../../testing/fixtures/room-orders.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'

const MINUTE_MS = 60_000

let site: RoomOrderApi
let ada: TestUser
let lastName = 0

beforeAll(async () => {
  site = await openRoomOrderApi()
  ada = await site.createBuyer('ada', 100_000)
})
afterAll(() => site.api.close())

const roomOf = ({ body }: { body: Record<string, unknown> }) => body.room as Record<string, number>
const expiryOf = (id: number) => site.select(`select expiryDate from room where id = ${id}`)[0]?.expiryDate

/** A listed room of ada that expires at a time. */
async function orderExpiring(at: number): Promise<number> {
  const { id } = roomOf(await site.order(ada, { name: `Dükkân ${++lastName}` }))
  if (id === undefined) throw new Error('no room was ordered')
  site.runSql(`update room set expiryDate = ${at} where id = ${id}`)
  return id
}

it('[ORDER-20] a renewal is open from 7 days before the expiry on', async () => {
  const early = await orderExpiring(Date.now() + RENEWAL_WINDOW_MS + MINUTE_MS)
  const before = site.balance(ada)
  const { status, body } = await site.renew(ada, early)
  expect([status, body.code]).toEqual([409, 'RenewalTooEarly'])
  expect(body.message).toBe('Odanın süresini, bitmesine 7 gün kaldığında uzatabilirsin.')
  expect(site.balance(ada)).toBe(before)
  for (const leftMs of [RENEWAL_WINDOW_MS - MINUTE_MS, -MINUTE_MS, -GRACE_MS + MINUTE_MS])
    expect(await site.renew(ada, await orderExpiring(Date.now() + leftMs))).toMatchObject({ status: 200 })
})

it('[ORDER-20] a renewal is refused for a room without expiry', async () => {
  const id = await orderExpiring(0)
  site.runSql(`update room set expiryDate = null where id = ${id}`)
  const { status, body } = await site.renew(ada, id)
  expect([status, body.message]).toEqual([409, 'Bu odanın süresi sınırsız.'])
})

it('[ORDER-21] a renewal is for the owner alone, not for admins and root admins', async () => {
  const id = await orderExpiring(Date.now() + MINUTE_MS)
  const admin = await site.createBuyer('nöbetçi')
  site.runSql(`insert into roomAdmin (roomId, userId) values (${id}, ${admin.userId})`)
  const root = await site.api.region.createRootAdmin('yönetici')
  for (const user of [admin, root, await site.api.region.createGuest('konuk')])
    expect(await site.renew(user, id)).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
  expect(await site.renew(ada, 1)).toMatchObject({ status: 403 })
  expect(await site.renew(ada, 999_999)).toMatchObject({ status: 404, body: { code: 'RoomNotFound' } })
})

it('[ORDER-22] [ORDER-23] a renewal adds the months to what is left, takes the new capacity, and costs no surcharge', async () => {
  const expiry = Date.now() + 3 * 24 * 60 * MINUTE_MS
  const id = await orderExpiring(expiry)
  const before = site.balance(ada)
  const owner = await site.api.region.connectAs(ada)
  const answer = await site.renew(ada, id, { capacityOptionId: 2, durationOptionId: 3 })
  expect(roomOf(answer)).toMatchObject({ id, capacity: 50, isList: true, expiryDate: addMonths(expiry, 6) })
  // 175 less 20 percent.
  expect(before - site.balance(ada)).toBe(140)
  await owner.waitForEvent('ownRoomsChanged', ({ roomId }) => roomId === id)
  const details = (await site.api.get(`/api/rooms/${id}`)).body
  expect(details.room).toMatchObject({ capacityOptionId: 2, duration: 6, discount: 0.2, price: 140 })
  owner.disconnect()
})

it('[ORDER-23] a renewal takes the aliases, and no id that differs from the path', async () => {
  const id = await orderExpiring(Date.now() + MINUTE_MS)
  const none = { capacityOptionId: undefined, durationOptionId: undefined }
  expect((await site.renew(ada, id, none)).body.message).toBe('Lütfen tüm alanları doldurunuz!')
  const aliases = { ...none, capacityId: 1, durationId: 1 }
  expect(await site.renew(ada, id, { ...aliases, roomId: id + 1 })).toMatchObject({ status: 422 })
  expect(await site.renew(ada, id, { ...aliases, roomId: id })).toMatchObject({ status: 200 })
})

it('[ORDER-24] a renewal brings a deactivated room back with its messages, admins and settings', async () => {
  const { region } = site.api
  const id = await orderExpiring(Date.now() + MINUTE_MS)
  const admin = await site.createBuyer('bekçi')
  site.runSql(`insert into roomAdmin (roomId, userId) values (${id}, ${admin.userId});
    update room set greetingMessage = 'Hoş geldiniz' where id = ${id}`)
  const client = await region.connectAs(ada, id)
  await region.appContext.execute(sendMessage, ada, {
    ...{ roomId: id, content: 'Kalıcı', clientId: randomUUID(), inRoomForMs: 1_000_000 },
  })
  site.runSql(`update room set expiryDate = ${Date.now() - GRACE_MS - 1} where id = ${id}`)
  await client.waitForEvent('roomDeactivated', ({ roomId }) => roomId === id)
  expect(await client.request('joinRoom', { roomId: id })).toMatchObject({ code: 'RoomNotFound' })

  const now = Date.now()
  const bystander = await region.connectAs(await region.createGuest('seyirci'))
  expect(await site.renew(ada, id)).toMatchObject({ status: 200 })
  expect(expiryOf(id)).toBeGreaterThanOrEqual(addMonths(now, 1))
  await bystander.waitForEvent('roomCreated', ({ room }) => (room as { id: number }).id === id)
  const details = (await site.api.get(`/api/rooms/${id}`)).body
  expect(details.room).toMatchObject({
    isActive: true,
    greetingMessage: 'Hoş geldiniz',
    Admins: [{ username: 'bekçi' }],
  })
  const newcomer = await region.connectAs(admin, id)
  const { messages } = await newcomer.waitForEvent('loadRoomMessages')
  expect(messages).toMatchObject([{ content: 'Kalıcı' }])
})

it('[ORDER-25] a renewal refuses a changed price and too little money, and charges nothing', async () => {
  const poor = await site.createBuyer('fakir', 210)
  const { id } = roomOf(await site.order(poor, { name: 'Tek göz' }))
  const expiry = Date.now() + MINUTE_MS
  site.runSql(`update room set expiryDate = ${expiry} where id = ${id}`)
  const changed = await site.renew(poor, id ?? 0, { price: 99 })
  expect(changed.body).toMatchObject({ code: 'PriceChanged', price: 100 })
  const dear = await site.renew(poor, id ?? 0, { capacityOptionId: 2 })
  expect(dear.body).toMatchObject({ code: 'InsufficientBalance', missing: 75 })
  expect([site.balance(poor), expiryOf(id ?? 0)]).toEqual([100, expiry])
})

it('[ORDER-25] 50 renewals at once under one key pay once, and with money for one, one of them pays', async () => {
  const buyer = await site.createBuyer('hızlı', 210)
  const { id = 0 } = roomOf(await site.order(buyer, { name: 'Koşu' }))
  const expiry = Date.now() + MINUTE_MS
  site.runSql(`update room set expiryDate = ${expiry} where id = ${id}`)
  const key = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => site.renew(buyer, id, {}, index % 2 ? key : randomUUID())),
  )
  const codes = new Set(answers.map(({ status, body }) => (status === 200 ? 'ok' : body.code)))
  expect([...codes].toSorted()).toEqual(expect.arrayContaining(['RenewalTooEarly']))
  expect([site.balance(buyer), expiryOf(id)]).toEqual([0, addMonths(expiry, 1)])
  expect(site.select(`select count(*) as n from roomOrder where roomId = ${id} and isRenewal = 1`)).toEqual([{ n: 1 }])
})
