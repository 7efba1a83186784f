import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestTotal, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { rangeOfDay } from '../../../../shared/wallet/turkish-day.ts'
import { MAX_EXPORTED_REQUESTS } from '../../../../shared/wallet/withdrawals/limits.ts'
import { openForWriting } from '../../../kernel/database/open.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import {
  type AdminUser,
  bearer,
  openWithdrawalsApi,
  TEST_IBAN,
  type WithdrawalsApi,
} from '../../../testing/fixtures/withdrawals-api.ts'
import { listRequests } from './review-queries.ts'

const DAY = '2026-03-10'
const { from: MIDNIGHT, to: NEXT_MIDNIGHT } = rangeOfDay(DAY)

let api: WithdrawalsApi
let root: AdminUser
let isil: TestUser
let can: TestUser

beforeAll(async () => {
  api = await openWithdrawalsApi()
  root = await api.createAdmin('Yönetici')
  isil = await api.createEarner('Isil-ALTIN', 1_000)
  can = await api.createEarner('can', 1_000)
  addWithdrawal(1, isil, MIDNIGHT - 1)
  addWithdrawal(2, isil, MIDNIGHT, { status: 'approved', lira: 100 })
  addWithdrawal(3, can, NEXT_MIDNIGHT - 1, { status: 'approved', lira: 250, firstName: '=cmd()' })
  addWithdrawal(4, can, NEXT_MIDNIGHT)
  addLoad(5, can, MIDNIGHT)
  addLoad(6, isil, MIDNIGHT, 'rejected')
})
afterAll(() => api.close())

interface Row {
  status?: 'pending' | 'approved'
  lira?: number
  firstName?: string
}

function addWithdrawal(
  id: number,
  { userId }: TestUser,
  createdAt: number,
  { status = 'pending', lira = 50, firstName = 'Ada' }: Row = {},
): void {
  const decision = status === 'pending' ? [null, null] : [createdAt + 1, root.userId]
  api.query(
    `insert into moneyRequest
     (id, kind, userId, amountKurus, firstName, lastName, iban, status, createdAt, decidedAt, decidedBy)
     values (?, 'withdrawal', ?, ?, ?, 'Yılmaz', ?, ?, ?, ?, ?)`,
    ...[id, userId, lira * 100, firstName, TEST_IBAN, status, createdAt, ...decision],
  )
}

function addLoad(id: number, { userId }: TestUser, createdAt: number, status = 'pending'): void {
  const decision = status === 'pending' ? [null, null] : [createdAt + 1, root.userId]
  api.query(
    `insert into moneyRequest (id, kind, userId, amountKurus, senderName, status, createdAt, decidedAt, decidedBy)
     values (?, 'star', ?, 5000, 'Can Demir', ?, ?, ?, ?)`,
    ...[id, userId, status, createdAt, ...decision],
  )
}

const review = async (query = '', headers: object = root.admin) =>
  (await api.get(`/api/root-admin/requests${query}`, { ...headers })).body
const list = async (filter: Record<string, string> = {}) => {
  const { requests, next } = (await review(`?${new URLSearchParams(filter)}`)) as {
    requests: ReviewedRequest[]
    next: string | null
  } // the route's schema
  return { names: requests.map(({ kind, id }) => `${kind === 'star' ? 'load' : 'payment'} ${id}`), next, requests }
}

describe('the requests for root admins', () => {
  it('[REQUEST-04] have both kinds, the latest first, with who asked and who decided', async () => {
    const { names, next, requests } = await list()
    expect(names).toEqual(['payment 4', 'payment 3', 'load 6', 'load 5', 'payment 2', 'payment 1'])
    expect(next).toBeNull()
    expect(requests[4]).toEqual({
      kind: 'withdrawal',
      id: 2,
      userId: isil.userId,
      username: 'Isil-ALTIN',
      avatarUrl: null,
      gender: null,
      amount: 100,
      status: 'approved',
      createdAt: MIDNIGHT,
      decidedAt: MIDNIGHT + 1,
      decidedBy: 'Yönetici',
      accountName: 'Ada Yılmaz',
      iban: TEST_IBAN,
    })
    expect(requests[3]).toMatchObject({ accountName: 'Can Demir', iban: null, decidedBy: null, decidedAt: null })
  })

  it.each([
    [{ kind: 'star' }, ['load 6', 'load 5']],
    [{ kind: 'withdrawal', status: 'pending' }, ['payment 4', 'payment 1']],
    [{ status: 'rejected' }, ['load 6']],
    [{ search: 'ışıl' }, []],
    [{ search: 'İSİL' }, ['load 6', 'payment 2', 'payment 1']],
    [{ search: ' altın ' }, ['load 6', 'payment 2', 'payment 1']],
    [{ search: 'altin', status: 'approved' }, ['payment 2']],
    [{ search: '%' }, []],
    [{ search: '_' }, []],
  ] as [Record<string, string>, string[]][])(
    '[REQUEST-05] [REQUEST-06] are filtered by %j',
    async (filter, expected) => {
      expect((await list(filter)).names).toEqual(expected)
    },
  )

  it('[REQUEST-04] of one time and both kinds come once each over pages', async () => {
    const at = rangeOfDay('2025-01-01').from
    for (let id = 1_001; id <= 1_040; id++) {
      addWithdrawal(id, can, at)
      addLoad(id + 100, can, at)
    }
    const names: string[] = []
    let before: string | null = `${at + 1}-0`
    let pages = 0
    while (before !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list({ before })
      names.push(...page.names)
      before = page.next
      pages++
    }
    expect([names.length, new Set(names).size, pages]).toEqual([80, 80, 3])
  })

  it('[REQUEST-07] are refused to everybody without an admin token', async () => {
    const guest = await api.region.createGuest('konuk')
    for (const path of ['', '/summary', '/export'])
      for (const headers of [{}, bearer(guest.token), bearer(can.token), bearer(root.token)]) {
        const body = await review(path, headers)
        expect(body.code).toMatch(/^(?:Forbidden|NotSignedIn)$/)
        expect(JSON.stringify(body)).not.toMatch(/Yılmaz|TR33/)
      }
  })

  it.each(['?kind=gift', '?status=open', '?before=x', `?search=${'a'.repeat(65)}`, '/summary?day=2026-02-30'])(
    '[REQUEST-05] %s is refused',
    async (query) => expect((await review(query)).code).toBe('InvalidInput'),
  )
})

it.each([{}, { kind: 'star' }, { status: 'pending' }, { kind: 'star', status: 'pending', search: 'a' }] as const)(
  '[REQUEST-13] a page by %j is read from an index without sorting',
  (filter) => {
    const statements: string[] = []
    const { reader, config } = api.region.appContext
    const recording: Pick<Reader, 'all'> = {
      all: (query, ...args) => {
        statements.push(query.sql)
        return reader.all(query, ...args)
      },
    }
    listRequests(recording, filter)
    const db = openForWriting(config.databaseFile)
    for (const statement of statements) {
      const plan = db.prepare(`explain query plan ${statement}`)
      const details = plan
        .all(...Array(statement.split('?').length - 1).fill(1))
        .map((row) => (row as { detail: string }).detail) // SQLite's column
      expect(details.join('; ')).toMatch(/SEARCH request USING INDEX moneyRequestBy\w+ \(/)
      expect(details.join('; ')).not.toContain('TEMP B-TREE')
    }
    db.close()
  },
)

it('[REQUEST-08] the summary counts and adds the requests of a Turkish day by kind and state', async () => {
  const { day, totals } = (await review(`/summary?day=${DAY}`)) as { day: string; totals: RequestTotal[] } // the schema
  expect(day).toBe(DAY)
  expect(totals.map(({ kind, status, count, amount }) => [kind, status, count, amount])).toEqual([
    ['star', 'pending', 1, 50],
    ['star', 'approved', 0, 0],
    ['star', 'rejected', 1, 50],
    ['withdrawal', 'pending', 0, 0],
    ['withdrawal', 'approved', 2, 350],
    ['withdrawal', 'rejected', 0, 0],
  ])
  expect((await review('/summary')).day).toBe(new Date(Date.now() + 3 * 60 * 60_000).toISOString().slice(0, 10))
})

it('[REQUEST-09] [REQUEST-10] the export has the rows of the filter, and no cell is a formula', async () => {
  const { csv, count, isCut } = await review('/export?status=approved')
  expect([count, isCut]).toEqual([2, false])
  expect(String(csv).split('\r\n')).toEqual([
    '\uFEFF"Tür";"No";"Kullanıcı";"Tutar (₺)";"Durum";"Talep zamanı";"Karar zamanı";"Karar veren";"Hesap sahibi";"IBAN"',
    `"Ödeme";"3";"can";"250,00";"Onaylandı";"2026-03-10 23:59:59";"2026-03-11 00:00:00";"Yönetici";"'=cmd() Yılmaz";"${TEST_IBAN}"`,
    `"Ödeme";"2";"Isil-ALTIN";"100,00";"Onaylandı";"2026-03-10 00:00:00";"2026-03-10 00:00:00";"Yönetici";"Ada Yılmaz";"${TEST_IBAN}"`,
    '',
  ])
})

it('[REQUEST-09] the export ends after the latest rows of its bound', async () => {
  api.query(
    `insert into moneyRequest (kind, userId, amountKurus, senderName, status, createdAt, decidedAt, decidedBy)
     with recursive number(n) as (select 1 union all select n + 1 from number where n <= ?)
     select 'star', ?, 5000, 'Çok', 'rejected', n, 1, ? from number`,
    MAX_EXPORTED_REQUESTS,
    can.userId,
    root.userId,
  )
  const { csv, count, isCut } = await review('/export?status=rejected')
  expect([count, isCut, String(csv).split('\r\n').length]).toEqual([
    MAX_EXPORTED_REQUESTS,
    true,
    MAX_EXPORTED_REQUESTS + 2,
  ])
})
