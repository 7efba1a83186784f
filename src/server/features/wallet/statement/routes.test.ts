import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StatementRow } from '../../../../shared/wallet/statement/statement.ts'
import { giveMoney } from '../../../testing/fixtures/money.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import { endSession } from '../../accounts/sessions/end-session.ts'
import { ledgerRoutes } from './routes.ts'

let api: TestApi
let lastMember = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, _, region) => ledgerRoutes(app, region.appContext))
})
afterAll(() => api.close())

const createMember = () => api.region.createMember(`üye${++lastMember}`)
const get = (path: string, { token }: TestUser) => api.get(`/api${path}`, { authorization: `Bearer ${token}` })
const give = ({ userId }: TestUser, amountKurus: number, kind: 'loaded' | 'earned' = 'loaded') =>
  giveMoney(api.region.appContext.config.databaseFile, { userId, amountKurus, kind })
/** The site reads what another process wrote with its next command. */
const writeSomething = async () => api.region.appContext.execute(endSession, await createMember(), {})

it('[LEDGER-09] tells a member the balance in lira, and refuses guests', async () => {
  const ada = await createMember()
  expect((await get('/users/balance', ada)).body).toMatchObject({ success: true, balance: 0, withdrawable: 0 })
  give(ada, 12_345)
  give(ada, 70, 'earned')
  expect((await get('/users/balance', ada)).body).toMatchObject({ balance: 124.15, withdrawable: 0.7 })
  const { status, body } = await get('/users/balance', await api.region.createGuest('gezgin'))
  expect([status, body]).toMatchObject([403, { code: 'Forbidden', message: 'Bunun için üye olmalısın.' }])
  expect((await api.get('/api/users/balance')).status).toBe(401)
})

it('[LEDGER-08] sends balanceUpdated to the connections of the user and to nobody else', async () => {
  const [ada, can] = [await createMember(), await createMember()]
  const [first, second, other] = [
    await api.region.connectAs(ada, 1),
    await api.region.connectAs(ada, 1),
    await api.region.connectAs(can, 1),
  ]
  give(ada, 5000)
  await writeSomething()
  for (const client of [first, second])
    expect(await client.waitForEvent('balanceUpdated')).toEqual({ balance: 50, withdrawable: 0 })
  await other.request('getRooms', {})
  expect(other.countEvents('balanceUpdated')).toBe(0)
})

it('[LEDGER-13] answers the own statement page by page, and nobody else’s', async () => {
  const [ada, can] = [await createMember(), await createMember()]
  for (let lira = 1; lira <= 31; lira++) give(ada, lira * 100)
  const { body } = await get('/users/balance/statement', ada)
  expect(body).toMatchObject({ success: true, next: expect.any(Number), cursor: expect.any(Number) })
  expect((body.rows as StatementRow[]).map(({ amount }) => amount)).toEqual(
    Array.from({ length: 30 }, (_, i) => 31 - i),
  )
  const rest = await get(`/users/balance/statement?before=${body.next}`, ada)
  expect(rest.body).toMatchObject({ rows: [{ amount: 1, balance: 1 }], next: null })
  expect((await get(`/users/balance/statement?userId=${ada.userId}`, can)).body).toMatchObject({ rows: [], next: null })
})

it('[LEDGER-15] answers the own statement as CSV', async () => {
  const ada = await createMember()
  give(ada, 5000)
  const { body } = await get('/users/balance/statement/csv', ada)
  expect(body).toMatchObject({ success: true, next: null, csv: expect.stringContaining('"Bakiye yükleme";"50,00";""') })
  expect((await get('/users/balance/statement/csv?before=1', ada)).body.csv).toBe('')
  const guest = await api.region.createGuest('dışarıdaki')
  for (const path of ['/users/balance/statement', '/users/balance/statement/csv'])
    expect((await get(path, guest)).status).toBe(403)
})
