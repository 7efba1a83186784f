import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../../shared/text/istanbul-time.ts'
import { openForWriting } from '../../../kernel/database/open.ts'
import { toUserSummary, userById } from '../../../model/accounts/queries.ts'
import { balanceOf } from '../../../model/wallet/queries.ts'
import { giveMoney } from '../../../testing/fixtures/money.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import { signToken } from '../../accounts/tokens/tokens.ts'
import { premiumRoutes } from '../feature.ts'
import { setPremiumCost } from '../options/set-premium-cost.ts'
import { watchPremiumEnds } from './show-premium-changes.ts'

describe('buying premium', () => {
  let api: TestApi
  let ada: TestUser
  beforeEach(async () => {
    api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => premiumRoutes(app, appContext))
    ada = await api.region.createMember('ada')
  })
  afterEach(() => api.close())

  const buy = (body: object = {}, { token } = ada) =>
    api.post('/api/users/upgrade-to-premium', body, { authorization: `Bearer ${token}` })
  const give = (amountKurus: number) =>
    giveMoney(api.region.appContext.config.databaseFile, { userId: ada.userId, amountKurus })
  const balance = () => balanceOf(api.region.appContext.reader, ada.userId).balanceKurus
  const user = () => api.region.appContext.reader.get(userById, { id: ada.userId })
  const setEnd = (endsAt: number) => {
    const db = openForWriting(api.region.appContext.config.databaseFile, 'unchecked')
    db.prepare('update user set premiumUntil = ? where id = ?').run(endsAt, ada.userId)
    db.close()
  }

  it('[PREM-01] [PREM-08] takes the price, gives the days, and says until when', async () => {
    give(12_000)
    const { status, body } = await buy()
    expect([status, body]).toMatchObject([200, { success: true, message: 'Artık Premium üyesin.' }])
    const endsAt = Number(body.premiumExpiryDate)
    expect(Math.round((endsAt - Date.now()) / DAY_MS)).toBe(30)
    expect(balance()).toBe(7_000)
    expect(user()).toMatchObject({ premiumUntil: endsAt, isShownPremium: 1 })
  })

  it('[PREM-02] adds to what is left; after the end it begins now', async () => {
    give(15_000)
    const first = Number((await buy()).body.premiumExpiryDate)
    const second = await buy()
    expect(second.body).toMatchObject({
      message: 'Premium süren uzatıldı.',
      premiumExpiryDate: first + 30 * DAY_MS,
    })
    setEnd(Date.now() - 100 * DAY_MS)
    const third = Number((await buy()).body.premiumExpiryDate)
    expect(Math.round((third - Date.now()) / DAY_MS)).toBe(30)
    expect(balance()).toBe(0)
  })

  it('[PREM-03] refuses who has too little, and changes nothing', async () => {
    give(4_999)
    expect(await buy()).toMatchObject({
      status: 409,
      body: { code: 'InsufficientBalance', message: 'Yetersiz bakiye! Hata!', missing: 0.01 },
    })
    expect([balance(), user()?.premiumUntil]).toEqual([4_999, null])
  })

  it('[PREM-04] refuses another price than the shown one, and charges the price of now without one', async () => {
    give(20_000)
    const root = await api.region.createRootAdmin('kök')
    await api.region.appContext.execute(setPremiumCost, root, { premiumCost: 60, days: 10 })
    expect(await buy({ price: 50 })).toMatchObject({ status: 409, body: { code: 'PriceChanged', price: 60 } })
    expect([balance(), user()?.premiumUntil]).toEqual([20_000, null])
    expect((await buy({ price: 60 })).status).toBe(200)
    const { body } = await buy()
    expect(Math.round((Number(body.premiumExpiryDate) - Date.now()) / DAY_MS)).toBe(20)
    expect(balance()).toBe(8_000)
  })

  it('[PREM-05] refuses guests and visitors', async () => {
    expect(await buy({}, await api.region.createGuest('lale'))).toMatchObject({ status: 403 })
    expect((await api.post('/api/users/upgrade-to-premium')).status).toBe(401)
  })

  it('[PREM-06] is sent to everyone, and the balance to the buyer alone', async () => {
    give(5_000)
    const can = await api.region.createMember('can')
    const [own, other] = [await api.region.connectAs(ada, 1), await api.region.connectAs(can, 1)]
    const { premiumExpiryDate } = (await buy()).body
    for (const client of [own, other])
      expect(await client.waitForEvent('userProfileUpdated')).toMatchObject({
        user: { id: ada.userId, premiumStatus: 'premium', premiumExpiryDate },
      })
    await own.waitForEvent('balanceUpdated', (payload) => payload.balance === 0)
    await other.request('getRooms', {})
    expect(other.countEvents('balanceUpdated')).toBe(0)
  })

  it('[PREM-11] 50 at once with money for one are one purchase', async () => {
    give(5_000)
    const answers = await Promise.all(Array.from({ length: 50 }, () => buy()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'InsufficientBalance')).toHaveLength(49)
    expect(balance()).toBe(0)
  })

  it('[PREM-06] [PREM-09] ends for those who are connected, with the gender filter, without a reload', async () => {
    const [own, other] = [
      await api.region.connectAs(ada, 1),
      await api.region.connectAs(await api.region.createGuest('lale'), 1),
    ]
    give(5_000)
    await buy()
    await own.waitForEvent(
      'userProfileUpdated',
      ({ user }) => (user as { premiumStatus: string }).premiumStatus === 'premium',
    )
    expect(await own.request('getRoomUsers', { roomId: 1, gender: 'female' })).toMatchObject({ roomId: 1 })
    setEnd(Date.now() - 1)
    await watchPremiumEnds(api.region.appContext)
    for (const client of [own, other])
      expect(
        await client.waitForEvent(
          'userProfileUpdated',
          ({ user }) => (user as { premiumStatus: string }).premiumStatus === 'guest',
        ),
      ).toMatchObject({ user: { id: ada.userId } })
    expect(await own.request('getRoomUsers', { roomId: 1, gender: 'female' })).toMatchObject({ code: 'Forbidden' })
    await watchPremiumEnds(api.region.appContext)
    await other.request('getRooms', {})
    expect(other.countEvents('userProfileUpdated')).toBe(2)
  })

  it('[PREM-09] root admins filter by gender without premium', async () => {
    const root = await api.region.createRootAdmin('kök')
    await signToken(api.region.appContext.keys, 'adminToken', root, Date.now())
    const client = await api.region.connectAs(root, 1)
    expect(await client.request('getRoomUsers', { roomId: 1, gender: 'male' })).toMatchObject({ roomId: 1 })
  })
})

describe('the end of premium', () => {
  let site: TestDatabase
  beforeEach(async () => {
    site = await openTestDatabase()
  })
  afterEach(() => site.close())

  /** Runs the job at the present time of the test; returns who was sent with which state. */
  function runJob(): [name: string, premiumStatus: string][] {
    const seq = site.db.prepare('select coalesce(max(seq), 0) from event').pluck().get() as number
    site.run({ command: 'showPremiumChanges' })
    const users = site.db.prepare('select count(*) from event where seq > ?').pluck().get(seq) as number
    const names = site.db
      .prepare('select username from user where premiumUntil is not null order by id')
      .pluck()
      .all() as string[]
    expect(users).toBeLessThanOrEqual(names.length)
    return users === 0 ? [] : names.map((name) => [name, statusOf(name)])
  }
  function statusOf(username: string): string {
    const id = site.db.prepare('select id from user where username = ?').pluck().get(username) as number
    const row = site.read.get(userById, { id })
    return row ? toUserSummary(row, site.clock.now).premiumStatus : 'none'
  }
  const addPremium = (name: string, endsAt: number, isShownPremium = 1) => {
    const id = site.addMember(name)
    site.db.prepare('update user set premiumUntil = ?, isShownPremium = ? where id = ?').run(endsAt, isShownPremium, id)
  }

  it('[PREM-06] is sent once, at its minute', () => {
    const endsAt = site.clock.now + 60_000
    addPremium('ada', endsAt)
    site.clock.now = endsAt - 1
    expect(runJob()).toEqual([])
    site.clock.now = endsAt
    expect(runJob()).toEqual([['ada', 'guest']])
    site.clock.now += 5_000
    expect(runJob()).toEqual([])
  })

  it('[PREM-07] is sent again when the clock is set back over it and passes it again', () => {
    const endsAt = site.clock.now + 60_000
    addPremium('ada', endsAt)
    site.clock.now = endsAt + 1
    expect(runJob()).toEqual([['ada', 'guest']])
    site.clock.now = endsAt - 3_600_000
    expect(runJob()).toEqual([['ada', 'premium']])
    expect(runJob()).toEqual([])
    site.clock.now = endsAt + 3_600_000
    expect(runJob()).toEqual([['ada', 'guest']])
    expect(runJob()).toEqual([])
  })

  it('[PREM-06] of 120 users at once is sent in steps', () => {
    for (let user = 0; user < 120; user++) addPremium(`üye${user}`, site.clock.now - 1)
    const left = () => site.db.prepare('select count(*) from user where isShownPremium = 1').pluck().get()
    const counts = [left()]
    for (let run = 0; run < 3; run++) {
      site.run({ command: 'showPremiumChanges' })
      counts.push(left())
    }
    expect(counts).toEqual([120, 70, 20, 0])
  })
})
