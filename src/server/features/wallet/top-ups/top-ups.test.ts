import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ADDRESS_REQUEST_LIMIT,
  MAX_PENDING_REQUESTS,
  REQUESTS_PER_PAGE,
} from '../../../../shared/wallet/requests/limits.ts'
import { openForWriting } from '../../../kernel/database/open.ts'
import type { Actor } from '../../../kernel/database/transaction.ts'
import { listNotifications } from '../../../model/notifications/queries.ts'
import { balanceOf } from '../../../model/wallet/queries.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../../testing/fixtures/test-region.ts'
import { signToken } from '../../accounts/tokens/tokens.ts'
import { starOptionCommands } from '../options/amount-option-commands.ts'
import { decideRequest } from '../requests/decide-request.ts'
import { requestRoutes } from '../requests/routes.ts'

let api: TestApi
let ada: TestUser
let root: TestUser
let second: TestUser
beforeEach(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => requestRoutes(app, appContext))
  ada = await api.region.createMember('ada')
  root = await api.region.createRootAdmin('kök')
  second = await api.region.createRootAdmin('dal')
})
afterEach(() => api.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ask = (user: TestUser, body: object = {}) =>
  api.post('/api/star-requests', { starOptionId: 2, senderUser: 'Ada Yılmaz', ...body }, bearer(user.token))
const askForId = async (user = ada) => Number(((await ask(user)).body.request as { id: number }).id)
async function decide(id: number, decision: 'approve' | 'reject', admin = root, headers: Record<string, string> = {}) {
  const { keys, clock } = api.region.appContext
  const token = await signToken(keys, 'adminToken', admin, clock())
  return api.post(`/api/star-requests/${id}/${decision}`, {}, { ...bearer(token), ...headers })
}
const balance = (user = ada) => balanceOf(api.region.appContext.reader, user.userId).balanceKurus
const own = async (user: TestUser, query = '') =>
  (await api.get(`/api/star-requests/user${query}`, bearer(user.token))).body
const notified = ({ userId }: TestUser) => {
  const { reader, clock } = api.region.appContext
  return listNotifications(reader, userId, 'starRequest', clock()).notifications
}
const rootActor = (): Actor => ({ ...root, role: 'rootadmin' })
/** After this answer, every event that was published before has come. */
const flush = (client: TestClient) => client.request('getRooms', {})

describe('asking for a load', () => {
  it('[STAR-01] [STAR-10] stores a pending request with the amount of the option', async () => {
    const { body } = await ask(ada)
    expect(body).toMatchObject({
      success: true,
      message: 'Yükleme talebiniz oluşturuldu ve onay bekliyor.',
      request: { id: 1, amount: 100, status: 'pending' },
    })
    expect(await own(ada)).toMatchObject({ starRequests: [body.request], next: null })
    expect(await own(root)).toMatchObject({ starRequests: [] })
    expect(balance()).toBe(0)
  })

  it.each([
    ['no name', { senderUser: null }, 'Lütfen ad ve soyad giriniz!'],
    ['a blank name', { senderUser: ' \n\t ' }, 'Lütfen ad ve soyad giriniz!'],
    ['a long name', { senderUser: 'a'.repeat(101) }, 'Gönderilen bilgiler geçerli değil.'],
    ['no amount', { starOptionId: null }, 'Lütfen bir yükleme miktarı seçiniz!'],
  ])('[STAR-01] refuses %s', async (_, input, message) => {
    expect(await ask(ada, input)).toMatchObject({ status: 422, body: { code: 'InvalidInput', message } })
  })

  it('[STAR-02] refuses an option that is unknown, inactive or deleted, and another amount than the shown one', async () => {
    const { execute } = api.region.appContext
    const { update, remove } = starOptionCommands
    await execute(update, rootActor(), { id: 3, amount: 250, status: 'inactive' })
    await execute(remove, rootActor(), { id: 4 })
    for (const starOptionId of [99, 3, 4])
      expect((await ask(ada, { starOptionId })).body).toMatchObject({
        code: 'NotFound',
        message: 'Bu yükleme seçeneği artık yok. Lütfen başka bir miktar seç.',
      })
    expect((await ask(ada, { amount: 90 })).body).toMatchObject({ code: 'PriceChanged', price: 100 })
    expect((await ask(ada, { amount: 100 })).status).toBe(200)
  })

  it('[STAR-03] keeps at most 3 pending requests of a person; a decided one makes room', async () => {
    const ids = []
    for (let request = 0; request < MAX_PENDING_REQUESTS; request++) ids.push(await askForId())
    expect(await ask(ada)).toMatchObject({
      status: 409,
      body: {
        code: 'TooManyRequests',
        message: 'En fazla 3 talebin bekleyebilir. Önce yanıtlanmalarını bekle.',
      },
    })
    expect((await ask(await api.region.createMember('can'))).status).toBe(200)
    await decide(ids[0] ?? 0, 'reject')
    expect((await ask(ada)).status).toBe(200)
  })

  it('[STAR-03] limits the requests of one address', async () => {
    const { personLimiters, clock } = api.region.appContext
    const charge = { limit: ADDRESS_REQUEST_LIMIT, key: '127.0.0.1', points: ADDRESS_REQUEST_LIMIT.points }
    personLimiters.consumeAll([charge], clock())
    expect(await ask(ada)).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
  })

  it('[STAR-03] does not count the refused requests of guests for their address', async () => {
    const { personLimiters, clock } = api.region.appContext
    const charge = { limit: ADDRESS_REQUEST_LIMIT, key: '127.0.0.1', points: 1 }
    const rest = { ...charge, points: ADDRESS_REQUEST_LIMIT.points }
    const guest = await api.region.createGuest('lale')
    for (let request = 0; request < 3; request++) expect((await ask(guest)).status).toBe(403)
    expect(personLimiters.consumeAll([rest], clock())).toBe(0)
    expect(personLimiters.consumeAll([charge], clock())).toBeGreaterThan(0)
  })

  it('[STAR-04] refuses guests and visitors without a session', async () => {
    const guest = await api.region.createGuest('lale')
    expect(await ask(guest)).toMatchObject({
      status: 403,
      body: { code: 'Forbidden', message: 'Hesabınıza yıldız yüklemek için kayıt olmanız gerekiyor.' },
    })
    expect(await own(guest)).toMatchObject({ code: 'Forbidden' })
    expect((await api.post('/api/star-requests', { starOptionId: 1, senderUser: 'A' })).status).toBe(401)
  })

  it('[STAR-05] is sent and notified to root admins, and to no other user', async () => {
    const can = await api.region.createMember('can')
    const [first, other, admin] = [
      await api.region.connectAs(ada, 1),
      await api.region.connectAs(can, 1),
      await api.region.connectAs(root, 1),
    ]
    const { request } = (await ask(ada)).body as { request: object }
    expect(await admin.waitForEvent('newStarRequest')).toEqual({ ...request, userId: ada.userId, username: 'ada' })
    expect(await admin.waitForEvent('newNotification')).toMatchObject({
      type: 'starRequest',
      requestId: 1,
      content: '100',
    })
    expect(await first.waitForEvent('starRequestCreated')).toEqual(request)
    for (const client of [first, other, admin]) await flush(client)
    for (const client of [first, other])
      expect([client.countEvents('newStarRequest'), client.countEvents('newNotification')]).toEqual([0, 0])
    expect(other.countEvents('starRequestCreated') + admin.countEvents('starRequestCreated')).toBe(0)
    for (const user of [root, second]) expect(notified(user)).toMatchObject([{ requestId: 1, senderUsername: 'ada' }])
    expect([notified(ada), notified(can)]).toEqual([[], []])
  })

  it('[STAR-10] lists own requests by page, the latest first', async () => {
    const insert = `insert into moneyRequest (kind, userId, amountKurus, status, senderName, createdAt, decidedAt, decidedBy)
      values ('star', ?, 100, 'rejected', 'Ada', ?, 2, ?)`
    const db = openForWriting(api.region.appContext.config.databaseFile, 'unchecked')
    for (let time = 0; time <= REQUESTS_PER_PAGE; time++) db.prepare(insert).run(ada.userId, time, root.userId)
    db.close()
    const first = await own(ada)
    const ids = (page: Record<string, unknown>) => (page.starRequests as { id: number }[]).map(({ id }) => id)
    expect(ids(first)).toEqual(Array.from({ length: REQUESTS_PER_PAGE }, (_, index) => REQUESTS_PER_PAGE + 1 - index))
    expect(ids(await own(ada, `?before=${first.next}`))).toEqual([1])
  })
})

describe('deciding a load', () => {
  it('[STAR-07] [STAR-09] approval brings the money and the absolute balance to the owner alone', async () => {
    const can = await api.region.createMember('can')
    const [owner, other, admin] = [
      await api.region.connectAs(ada, 1),
      await api.region.connectAs(can, 1),
      await api.region.connectAs(root, 1),
    ]
    await decide(await askForId(), 'approve')
    const id = await askForId()
    expect(await decide(id, 'approve')).toMatchObject({
      status: 200,
      body: { success: true, message: `Yükleme talebi #${id} onaylandı.` },
    })
    expect(await owner.waitForEvent('starRequestApproved', (payload) => payload.id === id)).toMatchObject({
      amount: 100,
      status: 'approved',
    })
    expect(await owner.waitForEvent('balanceUpdated', ({ balance }) => balance === 200)).toBeTruthy()
    for (const client of [other, admin]) {
      await flush(client)
      expect(client.countEvents('starRequestApproved') + client.countEvents('balanceUpdated')).toBe(0)
    }
    expect([balance(), balance(can), balance(root)]).toEqual([20_000, 0, 0])
  })

  it('[STAR-07] [STAR-09] rejection moves nothing, and removes the notifications of all root admins', async () => {
    const owner = await api.region.connectAs(ada, 1)
    const admin = await api.region.connectAs(second, 1)
    const id = await askForId()
    expect((await decide(id, 'reject')).body.message).toBe(`Yükleme talebi #${id} reddedildi.`)
    expect(await owner.waitForEvent('starRequestRejected')).toMatchObject({ id, status: 'rejected' })
    expect(await admin.waitForEvent('removeNotification')).toMatchObject({ type: 'starRequest', requestId: id })
    expect([notified(root), notified(second), balance()]).toEqual([[], [], 0])
    await flush(owner)
    expect(owner.countEvents('balanceUpdated') + owner.countEvents('removeNotification')).toBe(0)
  })

  it('[STAR-08] happens once: the second root admin is told who and when, for either decision', async () => {
    const id = await askForId()
    await decide(id, 'approve')
    for (const decision of ['approve', 'reject'] as const) {
      const { status, body } = await decide(id, decision, second)
      expect([status, body.code]).toEqual([409, 'RequestDecided'])
      expect(String(body.message).replaceAll(/[\u2066-\u2069]/g, '')).toMatch(
        new RegExp(`^Talep #${id} zaten onaylandı: kök, \\d+ \\p{L}+ \\d{4} \\d\\d:\\d\\d\\.$`, 'u'),
      )
    }
    expect(balance()).toBe(10_000)
    const rejected = await askForId()
    await decide(rejected, 'reject')
    expect((await decide(rejected, 'approve')).body.message).toContain('zaten reddedildi')
    expect(balance()).toBe(10_000)
  })

  it('[STAR-08] clicked 20 times at once by two root admins, moves the money once', async () => {
    const id = await askForId()
    const presses = Array.from({ length: 20 }, (_, press) =>
      decide(id, press % 3 === 2 ? 'reject' : 'approve', press % 2 ? root : second),
    )
    const answers = await Promise.all(presses)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const [request] = (await own(ada)).starRequests as { status: string }[]
    expect(balance()).toBe(request?.status === 'approved' ? 10_000 : 0)
  })

  it('[STAR-08] gives a retry with the same key the first answer', async () => {
    const id = await askForId()
    const key = { 'idempotency-key': randomUUID() }
    const first = await decide(id, 'approve', root, key)
    expect((await decide(id, 'approve', root, key)).body).toEqual(first.body)
    expect(balance()).toBe(10_000)
  })

  it('[STAR-06] is for root admins with the admin token, and for requests that exist', async () => {
    const id = await askForId()
    for (const user of [ada, root])
      expect(await api.post(`/api/star-requests/${id}/approve`, {}, bearer(user.token))).toMatchObject({ status: 403 })
    const actor: Actor = { ...ada, role: 'rootadmin' } // the writer reads the role from the row
    const refusal = await api.region.appContext.execute(decideRequest, actor, {
      kind: 'star',
      id,
      decision: 'approved',
    })
    expect(refusal).toMatchObject({ body: { code: 'Forbidden' } })
    expect(await decide(999, 'approve')).toMatchObject({ status: 404, body: { code: 'NotFound' } })
    expect(balance()).toBe(0)
  })

  it('[STAR-08] a decided request cannot be changed in the database', async () => {
    const id = await askForId()
    await decide(id, 'reject')
    const db = openForWriting(api.region.appContext.config.databaseFile, 'unchecked')
    expect(() => db.exec(`update moneyRequest set status = 'approved' where id = ${id}`)).toThrow('is decided')
    expect(() => db.exec(`update moneyRequest set amountKurus = 1 where id = ${id}`)).toThrow('does not change')
    db.close()
  })
})
