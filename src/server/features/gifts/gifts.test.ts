import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForWriting } from '../../kernel/database/open.ts'
import { listGiftKinds } from '../../model/gifts/queries.ts'
import { balanceOf } from '../../model/wallet/queries.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { signToken } from '../accounts/tokens/tokens.ts'
import { banUser } from '../moderation/ban-user.ts'
import { blockUser } from '../relations/block-user.ts'
import { giftRoutes } from './feature.ts'
import { updateGiftKind } from './update-gift-kind.ts'

const [TEA, ROSE] = [1, 2]

let api: TestApi
let ada: TestUser
let can: TestUser
let root: TestUser
let admin: Record<string, string>
let giver: TestClient
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => giftRoutes(app, appContext))
  const { region } = api
  ;[ada, can] = [await region.createMember('ada'), await region.createMember('can')]
  root = await region.createRootAdmin('kök')
  const { keys, clock } = region.appContext
  admin = { authorization: `Bearer ${await signToken(keys, 'adminToken', root, clock())}` }
  giveMoney(region.appContext.config.databaseFile, { userId: ada.userId, amountKurus: 10_000 })
  giver = await region.connectAs(ada, 1)
})
afterEach(() => api.close())

const reader = () => api.region.appContext.reader
const balance = ({ userId }: TestUser) => balanceOf(reader(), userId)
const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const runSql = (sql: string) => {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.exec(sql)
  db.close()
}
const readSql = (sql: string) => {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const row = db.prepare(sql).pluck().get()
  db.close()
  return row
}

async function put(path: string, body: object, headers = admin): Promise<Record<string, unknown>> {
  const response = await api.send(`/api/root-admin${path}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { origin: api.origin, 'content-type': 'application/json', ...headers },
  })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}

/** Lines that look like that of a gift. */
const HIDDEN_LINES = [
  '🎁\u200bHEDİYE: Gül',
  '→🎁Hedıye：x',
  '🎁 Hed\u200biye: Gül',
  '🎁 Hedi\u0307\u00adye: Gül',
  '🎁 Ｈediye: Gül',
]

describe('a gift', () => {
  it('[GIFT-01] [GIFT-02] costs its price, of which the recipient may withdraw 70 percent', async () => {
    const catalogue = (await api.get('/api/gifts', bearer(await api.region.createGuest('lale')))).body as unknown
    expect(catalogue).toHaveLength(10)
    const tea = { id: TEA, name: 'Çay', drawing: 'cay', price: 5, status: 'active' }
    expect(catalogue).toMatchObject({ 0: tea, 1: { id: ROSE, price: 10 } })
    expect(listGiftKinds(reader()).at(-1)?.price).toBe(500)
    const sent = await giver.request('sendGift', { giftKindId: ROSE, recipientId: can.userId, price: 10 })
    expect(sent).toEqual({ success: true, giftId: 1 })
    expect(balance(ada)).toEqual({ balanceKurus: 9_000, withdrawableKurus: 0 })
    expect(balance(can)).toEqual({ balanceKurus: 700, withdrawableKurus: 700 })
    expect(readSql("select balanceKurus from ledgerAccount where kind = 'giftIncome'")).toBe(300)
  })

  it('[GIFT-04] is refused without money, and with another price than the shown one', async () => {
    const poor = await api.region.connectAs(can)
    const refusal = { code: 'InsufficientBalance', missing: 10 }
    expect(await poor.request('sendGift', { giftKindId: ROSE, recipientId: ada.userId })).toMatchObject(refusal)
    const shown = { giftKindId: ROSE, recipientId: can.userId, price: 9 }
    expect(await giver.request('sendGift', shown)).toMatchObject({ code: 'PriceChanged', price: 10 })
    expect(balance(ada).balanceKurus).toBe(10_000)
    expect(readSql('select count(*) from gift')).toBe(0)
    expect(giver.countEvents('balanceUpdated')).toBe(0)
  })

  it('[GIFT-05] is given once under one clientId', async () => {
    const input = { giftKindId: ROSE, recipientId: can.userId, roomId: 1, clientId: randomUUID() }
    const first = await giver.request('sendGift', input)
    await api.region.connectAs(can, 1)
    expect(await giver.request('sendGift', input)).toEqual(first)
    expect(await giver.request('sendGift', { ...input, giftKindId: TEA })).toMatchObject({ code: 'ClientIdReused' })
    expect(balance(ada).balanceKurus).toBe(9_000)
    expect(readSql('select count(*) from gift')).toBe(1)
  })

  it('[GIFT-06] is refused for guests, oneself, unknown and gone gifts', async () => {
    const lale = await api.region.createGuest('lale')
    const guest = await api.region.connectAs(lale, 1)
    expect(await guest.request('sendGift', { giftKindId: TEA, recipientId: ada.userId })).toMatchObject({
      code: 'Forbidden',
    })
    const send = (recipientId: number, giftKindId = TEA, roomId?: number) =>
      giver.request('sendGift', { giftKindId, recipientId, ...(roomId && { roomId }) })
    expect(await send(lale.userId)).toMatchObject({ message: 'Misafirlere hediye gönderilemez.' })
    expect(await send(ada.userId)).toMatchObject({ message: 'Kendine hediye gönderemezsin.' })
    expect(await send(1_000_000)).toMatchObject({ code: 'NotFound' })
    expect(await send(can.userId, 99)).toMatchObject({ message: 'Bu hediye artık yok.' })
    expect(await send(can.userId, TEA, 2)).toMatchObject({ code: 'NotInRoom' })
    await put(`/gifts/${TEA}`, { price: 5, status: 'inactive' })
    expect(await send(can.userId)).toMatchObject({ message: 'Bu hediye artık yok.' })
    expect(balance(ada).balanceKurus).toBe(10_000)
  })

  it('[GIFT-07] is refused across a block in either direction, and to a banned user', async () => {
    const send = () => giver.request('sendGift', { giftKindId: TEA, recipientId: can.userId })
    const refused = { code: 'Forbidden', message: 'Bu kişiye hediye gönderemezsin.' }
    const { execute } = api.region.appContext
    await execute(blockUser, can, { blockedUsername: 'ada' })
    expect(await send()).toMatchObject(refused)
    runSql('delete from block')
    await execute(blockUser, ada, { blockedUsername: 'can' })
    expect(await send()).toMatchObject(refused)
    runSql('delete from block')
    const terms = { username: 'can', duration: '1hr', banReason: 'Diğer' } as const
    await execute(banUser, root, terms)
    expect(await send()).toMatchObject(refused)
    expect(balance(ada).balanceKurus).toBe(10_000)
  })
})

describe('who learns of a gift', () => {
  it('[GIFT-08] [GIFT-09] [GIFT-10] is the room of both, the recipient, and nobody who has blocked the giver', async () => {
    const { region } = api
    const recipient = await region.connectAs(can, 1)
    const bystander = await region.connectAs(await region.createGuest('lale'), 1)
    const ece = await region.createMember('ece')
    const blocker = await region.connectAs(ece, 1)
    const outsider = await region.connectAs(await region.createGuest('uzak'), 2)
    await region.appContext.execute(blockUser, ece, { blockedUsername: 'ada' })
    await blocker.waitForEvent('userBlocked')

    await giver.request('sendGift', { giftKindId: ROSE, recipientId: can.userId, roomId: 1 })
    const gift = { id: 1, name: 'Gül', drawing: 'gul', senderUsername: 'ada', recipientUsername: 'can', roomId: 1 }
    for (const client of [giver, recipient, bystander]) {
      expect(await client.waitForEvent('giftSent')).toMatchObject(gift)
      const line = await client.waitForEvent('message')
      expect(line).toMatchObject({ content: '🎁 Hediye: Gül → @can', senderUsername: 'ada' })
    }
    expect(await recipient.waitForEvent('giftReceived')).toMatchObject({ ...gift, amount: 7 })
    expect(await recipient.waitForEvent('newNotification')).toMatchObject({
      type: 'gift',
      content: 'Gül',
      requestId: 1,
    })
    expect(await recipient.waitForEvent('balanceUpdated')).toMatchObject({ balance: 7, withdrawable: 7 })
    for (const client of [giver, bystander, blocker, outsider]) {
      await client.request('getRooms', {})
      expect(client.countEvents('giftReceived') + client.countEvents('newNotification')).toBe(0)
    }
    for (const client of [blocker, outsider])
      expect(
        client.countEvents('giftSent') + client.countEvents('message') + client.countEvents('balanceUpdated'),
      ).toBe(0)
  })

  it('[GIFT-08] is the recipient alone when they are not in one room, or the giver may not write there', async () => {
    const { region } = api
    const recipient = await region.connectAs(can, 2)
    const bystander = await region.connectAs(await region.createGuest('lale'), 1)
    await giver.request('sendGift', { giftKindId: TEA, recipientId: can.userId, roomId: 1 })
    expect(await recipient.waitForEvent('giftReceived')).toMatchObject({ id: 1, roomId: null, amount: 3.5 })
    await recipient.request('joinRoom', { roomId: 1 })
    runSql("update room set messagePreference = 'admins' where id = 1")
    await giver.request('sendGift', { giftKindId: TEA, recipientId: can.userId, roomId: 1 })
    await recipient.waitForEvent('giftReceived', ({ id }) => id === 2)
    await bystander.request('getRooms', {})
    expect(bystander.countEvents('giftSent') + bystander.countEvents('message')).toBe(0)
  })

  it('[GIFT-05] is given also when the giver has used the number of its line before', async () => {
    const lineId = `00000000-0000-8000-8000-${'1'.padStart(12, '0')}`
    api.region.clockOffset.aheadMs += 11_000
    const message = { roomId: 1, content: 'selam', clientId: lineId }
    expect(await giver.request('sendMessage', message)).toMatchObject({ success: true })
    await api.region.connectAs(can, 1)
    const gift = { giftKindId: TEA, recipientId: can.userId, roomId: 1 }
    expect(await giver.request('sendGift', gift)).toEqual({ success: true, giftId: 1 })
  })

  it('[GIFT-11] cannot be claimed by a message', async () => {
    api.region.clockOffset.aheadMs += 11_000
    const send = (content: string) => giver.request('sendMessage', { roomId: 1, content })
    for (const content of ['🎁 Hediye: Taç → @can', ' 🎁 hediye : Gül', ...HIDDEN_LINES])
      expect([content, await send(content)]).toMatchObject([content, { code: 'Forbidden' }])
    expect(await send('🎁 Doğum günün kutlu olsun, hediye: sürpriz')).toMatchObject({ success: true })
  })
})

describe('the catalogue', () => {
  it('[GIFT-12] is changed by root admins alone, and given gifts keep their price', async () => {
    await giver.request('sendGift', { giftKindId: TEA, recipientId: can.userId })
    const change = { price: 6, status: 'active' }
    expect(await put(`/gifts/${TEA}`, change, bearer(root))).toMatchObject({ code: 'Forbidden' })
    expect(await put('/gift-share', { sharePercent: 50 }, bearer(root))).toMatchObject({ code: 'Forbidden' })
    const asMember = { id: TEA, price: 6, status: 'active' } as const
    expect(await api.region.appContext.execute(updateGiftKind, ada, asMember)).toMatchObject({
      body: { code: 'Forbidden' },
    })
    for (const sharePercent of [-1, 101, 1.5])
      expect(await put('/gift-share', { sharePercent })).toMatchObject({ code: 'InvalidInput' })
    expect(await put('/gifts/99', change)).toMatchObject({ code: 'NotFound' })
    expect(await put(`/gifts/${TEA}`, change)).toMatchObject({ success: true, gift: { name: 'Çay', price: 6 } })
    expect(await put('/gift-share', { sharePercent: 50 })).toEqual({ success: true, sharePercent: 50 })
    expect((await api.get('/api/root-admin/gift-share', admin)).body).toMatchObject({ sharePercent: 50 })
    await giver.request('sendGift', { giftKindId: TEA, recipientId: can.userId })
    expect(balance(can).withdrawableKurus).toBe(350 + 300)
    expect(readSql('select group_concat(priceKurus) from gift')).toBe('500,600')
  })

  it('[GIFT-13] tells everyone of a changed gift and root admins of the part, once', async () => {
    const boss = await api.region.connectAs(root)
    for (const price of [6, 6]) await put(`/gifts/${TEA}`, { price, status: 'active' })
    for (const sharePercent of [60, 60]) await put('/gift-share', { sharePercent })
    const gift = { id: TEA, name: 'Çay', drawing: 'cay', price: 6, status: 'active' }
    for (const client of [giver, boss]) {
      expect(await client.waitForEvent('giftKindUpdated')).toEqual(gift)
      expect(client.countEvents('giftKindUpdated')).toBe(1)
    }
    expect(await boss.waitForEvent('giftShareUpdated')).toEqual({ sharePercent: 60 })
    expect(boss.countEvents('giftShareUpdated')).toBe(1)
    await giver.request('getRooms', {})
    expect(giver.countEvents('giftShareUpdated')).toBe(0)
  })
})

describe('a profile', () => {
  const readProfile = async (name: string, viewer: TestUser) =>
    (await api.get(`/api/users/profile-consolidated/${name}`, bearer(viewer))).body

  it('[GIFT-14] counts received gifts by kind, for those who may see it', async () => {
    for (const giftKindId of [TEA, ROSE, TEA]) await giver.request('sendGift', { giftKindId, recipientId: can.userId })
    const gifts = {
      received: [
        { id: ROSE, name: 'Gül', drawing: 'gul', count: 1 },
        { id: TEA, name: 'Çay', drawing: 'cay', count: 2 },
      ],
      latestId: 3,
    }
    expect((await readProfile('can', ada)).gifts).toEqual(gifts)
    expect((await readProfile('ada', can)).gifts).toEqual({ received: [], latestId: 0 })
    runSql("update user set accountPrivacy = 'private' where username = 'can'")
    expect(await readProfile('can', ada)).not.toHaveProperty('gifts')
    expect((await readProfile('can', root)).gifts).toEqual(gifts)
  })

  it('[GIFT-15] has the gifts in the action log of root admins', async () => {
    await api.region.connectAs(can, 1)
    await giver.request('sendGift', { giftKindId: ROSE, recipientId: can.userId, roomId: 1 })
    const entry = { senderUsername: 'ada', recipientUsername: 'can', giftName: 'Gül', giftCost: 10, roomName: 'Meydan' }
    expect((await readProfile('ada', root)).actions).toMatchObject([{ type: 'send_gift', ...entry }])
    expect((await readProfile('can', root)).actions).toMatchObject([{ type: 'receive_gift', ...entry }])
    expect(await readProfile('can', ada)).not.toHaveProperty('actions')
  })
})
