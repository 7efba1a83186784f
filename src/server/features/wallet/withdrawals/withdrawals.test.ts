import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  NOT_WITHDRAWABLE_TEXT,
  WITHDRAWAL_OPTION_GONE_TEXT,
  WITHDRAWAL_REQUESTED_TEXT,
  WRONG_IBAN_TEXT,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import {
  type AdminUser,
  bearer,
  openWithdrawalsApi,
  TEST_IBAN,
  type WithdrawalsApi,
} from '../../../testing/fixtures/withdrawals-api.ts'

let api: WithdrawalsApi
let root: AdminUser
let ada: TestUser

beforeEach(async () => {
  api = await openWithdrawalsApi()
  root = await api.createAdmin('Yönetici')
  ada = await api.createEarner('ada', 60)
})
afterEach(() => api.close())

const ownRequests = async (user: TestUser, query = '') =>
  (await api.get(`/api/withdrawal-requests/user${query}`, bearer(user.token))).body
const notificationsOf = ({ userId }: TestUser) =>
  api.query<{ requestId: number }>(
    "select requestId from notification where recipientId = ? and type = 'withdrawalRequest'",
    userId,
  )

describe('asking for a payment', () => {
  it('[WITHDRAW-01] sets the amount aside at once and answers with the request', async () => {
    const { status, body } = await api.requestWithdrawal(ada)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: WITHDRAWAL_REQUESTED_TEXT,
      request: { id: 1, amount: 50, status: 'pending', createdAt: expect.any(Number) },
    })
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 10, withdrawals: 50 })
  })

  it('[WITHDRAW-02] pays out earned money only', async () => {
    const can = await api.createEarner('can', 30)
    api.give(can, 500, 'loaded')
    const { status, body } = await api.requestWithdrawal(can)
    expect([status, body]).toEqual([
      409,
      { success: false, code: 'InsufficientBalance', message: NOT_WITHDRAWABLE_TEXT, missing: 20 },
    ])
    expect(api.accounts()).toEqual({ bank: -590, 'earned ada': 60, 'earned can': 30, 'loaded can': 500 })
    expect(api.query('select id from moneyRequest')).toEqual([])
    expect(notificationsOf(root)).toEqual([])
  })

  it('[WITHDRAW-02] of 50 requests at once with money for one, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.requestWithdrawal(ada)))
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    for (const { body } of answers) if (!body.success) expect(body.code).toBe('InsufficientBalance')
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 10, withdrawals: 50 })
    expect(notificationsOf(root)).toHaveLength(1)
  })

  it('[WITHDRAW-03] a retry under the same key has one effect', async () => {
    const key = { 'idempotency-key': randomUUID() }
    api.give(ada, 1_000)
    const [first, second] = await Promise.all([1, 2].map(() => api.requestWithdrawal(ada, {}, key)))
    expect(second?.body).toEqual(first?.body)
    expect(first?.body).toMatchObject({ success: true })
    expect(api.query('select id from moneyRequest')).toHaveLength(1)
  })

  it.each([
    [
      { iban: 'TR33 0006 1005 1978 6457 8413 2' },
      'Lütfen geçerli bir IBAN numarası giriniz (TR ile başlayıp 24 haneli olmalıdır).',
    ],
    [
      { iban: 'DE330006100519786457841326' },
      'Lütfen geçerli bir IBAN numarası giriniz (TR ile başlayıp 24 haneli olmalıdır).',
    ],
    [{ iban: 'TR330006100519786457841327' }, WRONG_IBAN_TEXT],
    [{ iban: ' ' }, 'Lütfen tüm alanları doldurun!'],
    [{ iban: undefined }, 'Lütfen tüm alanları doldurun!'],
    [{ firstName: ' \u200b ' }, 'Lütfen tüm alanları doldurun!'],
    [{ firstName: undefined }, 'Lütfen tüm alanları doldurun!'],
    [{ lastName: '' }, 'Lütfen tüm alanları doldurun!'],
    [{ withdrawalOptionId: undefined }, 'Lütfen tüm alanları doldurun!'],
    [{ withdrawalOptionId: null }, 'Lütfen tüm alanları doldurun!'],
  ])('[WITHDRAW-06] [WITHDRAW-07] [WITHDRAW-08] refuses %j', async (fields, message) => {
    const { status, body } = await api.requestWithdrawal(ada, fields)
    expect([status, body.code, body.message]).toEqual([422, 'InvalidInput', message])
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 60 })
  })

  it('[WITHDRAW-06] takes an IBAN with spaces and small letters, and names on one line', async () => {
    const iban = 'tr33 0006 1005 1978 6457 8413 26'
    await api.requestWithdrawal(ada, { iban, firstName: '  Ada\nNur ', lastName: 'Yıl\u202emaz' })
    expect(api.query('select firstName, lastName, iban from moneyRequest')).toEqual([
      { firstName: 'Ada Nur', lastName: 'Yılmaz', iban: TEST_IBAN },
    ])
  })

  it('[WITHDRAW-09] refuses an option that is gone, and another amount than the shown one', async () => {
    const shown = await api.requestWithdrawal(ada, { amount: 40 })
    expect(shown.body).toMatchObject({ code: 'PriceChanged', price: 50 })
    expect((await api.requestWithdrawal(ada, { amount: 50 })).body).toMatchObject({ success: true })
    api.query("update withdrawalOption set status = 'inactive' where id = 2")
    for (const withdrawalOptionId of [2, 99]) {
      const { status, body } = await api.requestWithdrawal(ada, { withdrawalOptionId })
      expect([status, body.message]).toEqual([404, WITHDRAWAL_OPTION_GONE_TEXT])
    }
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 10, withdrawals: 50 })
  })

  it('[WITHDRAW-10] refuses a guest, and a fourth pending request', async () => {
    const guest = await api.region.createGuest('konuk')
    expect((await api.requestWithdrawal(guest)).body.code).toBe('Forbidden')
    api.give(ada, 1_000)
    for (let count = 0; count < 3; count++) await api.createWithdrawal(ada)
    expect((await api.requestWithdrawal(ada)).body.code).toBe('TooManyRequests')
    await api.decide(root, '/withdrawal-requests/2/reject')
    expect((await api.requestWithdrawal(ada)).body.success).toBe(true)
  })

  it('[WITHDRAW-10] bounds the requests of a user, and of an address', async () => {
    const limited = await openWithdrawalsApi({ MEYDAN_LIMIT_SCALE: '1', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' })
    const users = await Promise.all(['can', 'deniz', 'ela', 'filiz'].map((name) => limited.createEarner(name, 0)))
    const send = (user: TestUser) => limited.requestWithdrawal(user, {}, { 'x-forwarded-for': '192.0.2.7' })
    const codes: unknown[][] = []
    for (const user of users) {
      const answers = []
      for (let count = 0; count < 21; count++) answers.push(await send(user))
      codes.push(answers.map(({ body }) => body.code))
    }
    const own = [...Array(20).fill('InsufficientBalance'), 'RateLimited']
    expect(codes).toEqual([own, own, own, Array(21).fill('RateLimited')])
    await limited.close()
  })
})

describe('a decision', () => {
  it('[WITHDRAW-11] pays the money out when it is approved', async () => {
    const id = await api.createWithdrawal(ada)
    const { body } = await api.decide(root, `/withdrawal-requests/${id}/approve`)
    expect(body).toEqual({ success: true, message: `Ödeme talebi #${id} onaylandı.` })
    expect(api.accounts()).toEqual({ bank: -10, 'earned ada': 10 })
    expect(await ownRequests(ada)).toMatchObject({ withdrawalRequests: [{ id, status: 'approved' }] })
  })

  it('[WITHDRAW-12] gives the money back when it is rejected', async () => {
    const id = await api.createWithdrawal(ada)
    const { body } = await api.decide(root, `/withdrawal-requests/${id}/reject`)
    expect(body).toEqual({ success: true, message: `Ödeme talebi #${id} reddedildi.` })
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 60 })
    expect(await ownRequests(ada)).toMatchObject({ withdrawalRequests: [{ id, status: 'rejected' }] })
  })

  it.each([
    ['approve', 'reject'],
    ['reject', 'approve'],
    ['approve', 'approve'],
    ['reject', 'reject'],
  ])('[WITHDRAW-13] to %s stands: who comes second to %s is told who was first', async (first, second) => {
    const other = await api.createAdmin('Zeynep')
    const id = await api.createWithdrawal(ada)
    await api.decide(other, `/withdrawal-requests/${id}/${first}`)
    const after = api.accounts()
    const late = await api.decide(root, `/withdrawal-requests/${id}/${second}`)
    expect([late.status, late.body.code]).toEqual([409, 'RequestDecided'])
    expect(late.body.message).toMatch(first === 'approve' ? /zaten onaylandı: .*Zeynep/ : /zaten reddedildi: .*Zeynep/)
    const again = await api.decide(other, `/withdrawal-requests/${id}/${second}`)
    expect(again.body.message).toContain('Zeynep')
    expect(api.accounts()).toEqual(after)
  })

  it('[WITHDRAW-13] of ten at the same moment is one', async () => {
    const others = [root, await api.createAdmin('Zeynep')]
    const id = await api.createWithdrawal(ada)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        api.decide(others[turn % 2] ?? root, `/withdrawal-requests/${id}/${turn % 3 === 0 ? 'approve' : 'reject'}`),
      ),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    const [{ status } = { status: '' }] = api.query<{ status: string }>('select status from moneyRequest')
    expect(api.accounts()).toEqual(
      status === 'approved' ? { bank: -10, 'earned ada': 10 } : { bank: -60, 'earned ada': 60 },
    )
    expect(() => api.query("update moneyRequest set status = 'pending', decidedAt = null")).toThrow('decided')
  })

  it('[WITHDRAW-14] is for root admins with an admin token', async () => {
    const id = await api.createWithdrawal(ada)
    for (const headers of [{}, bearer(ada.token), bearer(root.token)])
      for (const verb of ['approve', 'reject']) {
        const { body } = await api.post(`/api/withdrawal-requests/${id}/${verb}`, {}, headers)
        expect(body.code).toMatch(/^(?:Forbidden|NotSignedIn)$/)
      }
    expect((await api.decide(root, '/withdrawal-requests/99/approve')).body.code).toBe('NotFound')
    expect(api.accounts()).toEqual({ bank: -60, 'earned ada': 10, withdrawals: 50 })
  })
})

describe("one's own requests", () => {
  it('[WITHDRAW-18] are listed for their owner alone, the latest first, in pages', async () => {
    const can = await api.createEarner('can', 50)
    await api.createWithdrawal(can)
    for (let id = 2; id <= 26; id++)
      api.query(
        `insert into moneyRequest
         (id, kind, userId, amountKurus, firstName, lastName, iban, status, createdAt, decidedAt, decidedBy)
         values (?, 'withdrawal', ?, 5000, 'A', 'B', 'TR', 'approved', ?, 1, 1)`,
        id,
        ada.userId,
        1_000 + Math.floor(id / 3),
      )
    const first = await ownRequests(ada)
    const second = await ownRequests(ada, `?before=${first.next}`)
    const ids = [first, second].flatMap(
      ({ withdrawalRequests }) => (withdrawalRequests as { id: number }[]).map(({ id }) => id), // the route's schema
    )
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => 26 - index))
    expect(second.next).toBeNull()
    expect(JSON.stringify([first, second])).not.toMatch(/iban|Name/)
    expect(await ownRequests(can)).toMatchObject({ withdrawalRequests: [{ id: 1 }], next: null })
  })
})
