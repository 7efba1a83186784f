import { afterAll, beforeAll, expect, it } from 'vitest'
import { endSession } from '../accounts/sessions/end-session.ts'
import { giveMoney } from '../testing/fixtures/money.ts'
import { openTestApi, type TestApi } from '../testing/fixtures/test-api.ts'
import type { TestUser } from '../testing/fixtures/test-region.ts'
import { ledgerRoutes } from './ledger-routes.ts'

let api: TestApi
let lastMember = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, _, region) => ledgerRoutes(app, region.appContext))
})
afterAll(() => api.close())

const createMember = () => api.region.createMember(`üye${++lastMember}`)
const get = (path: string, { token }: TestUser) => api.get(`/api${path}`, { authorization: `Bearer ${token}` })
const give = ({ userId }: TestUser, amountKurus: number, kind: 'loaded' | 'earned' = 'loaded') =>
  giveMoney(api.region.appContext.settings.databaseFile, { userId, amountKurus, kind })
/** The site reads what another process wrote with its next command. */
const writeSomething = async () => api.region.appContext.execute(endSession, await createMember(), {})

it('[LEDGER-09] tells a member the balance in lira, and refuses guests', async () => {
  const ada = await createMember()
  expect((await get('/users/balance', ada)).body).toMatchObject({ success: true, balance: 0, withdrawable: 0 })
  give(ada, 12_345)
  give(ada, 70, 'earned')
  expect((await get('/users/balance', ada)).body).toMatchObject({ balance: 124.15, withdrawable: 0.7 })
  const { status, body } = await get('/users/balance', await api.region.createGuest('gezgin'))
  expect([status, body]).toMatchObject([403, { code: 'Forbidden', message: 'Bunun için üye olmalısınız.' }])
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
