import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventName } from '../../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { MAX_OPTIONS } from '../../../../shared/wallet/options/limits.ts'
import type { Actor } from '../../../kernel/database/transaction.ts'
import { capacityOptionById, listCapacityOptions, listDurationOptions } from '../../../model/rooms/options/queries.ts'
import {
  activeStarOptionById,
  getBankDetails,
  getPremiumTerms,
  listStarOptions,
} from '../../../model/wallet/options/queries.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import { signToken } from '../../accounts/tokens/tokens.ts'
import { capacityOptionCommands } from '../../rooms/options/capacity-option-commands.ts'
import { durationOptionCommands } from '../../rooms/options/duration-option-commands.ts'
import { roomOptionRoutes } from '../../rooms/options/routes.ts'
import { starOptionCommands, withdrawalOptionCommands } from './amount-option-commands.ts'
import { walletOptionRoutes } from './routes.ts'
import { setPremiumCost } from './set-premium-cost.ts'

let api: TestApi
let root: TestUser
let admin: Record<string, string>
beforeEach(async () => {
  api = await openTestApi({}, (app, _, region) => {
    roomOptionRoutes(app, region.appContext)
    walletOptionRoutes(app, region.appContext)
  })
  root = await api.region.createRootAdmin('kök')
  const { keys, clock } = api.region.appContext
  admin = { authorization: `Bearer ${await signToken(keys, 'adminToken', root, clock())}` }
})
afterEach(() => api.close())

const reader = () => api.region.appContext.reader
const actor = (): Actor => ({ ...root, role: 'rootadmin' })
const bearer = (user: TestUser) => ({ authorization: `Bearer ${user.token}` })

async function send(method: string, path: string, body: object, headers = admin): Promise<Record<string, unknown>> {
  const response = await api.send(path, {
    method,
    body: JSON.stringify(body),
    headers: { origin: api.origin, 'content-type': 'application/json', ...headers },
  })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}

describe('options', () => {
  it('[OPTION-01] [OPTION-02] of a new site are read by guests and members', async () => {
    for (const user of [await api.region.createGuest('lale'), await api.region.createMember('ada')]) {
      const read = async (path: string) => (await api.get(`/api${path}`, bearer(user))).body as unknown
      expect(await read('/root-admin/capacity-options')).toEqual(
        [25, 50, 100, 250, 500].map((numberOfPeople, index) => ({
          id: index + 1,
          numberOfPeople,
          price: [100, 175, 300, 600, 1000][index],
        })),
      )
      expect(await read('/root-admin/duration-options')).toEqual(
        [1, 3, 6, 12].map((durationInMonths, index) => ({
          id: index + 1,
          durationInMonths,
          discountPercentage: [0, 0.1, 0.2, 0.3][index],
        })),
      )
      const amounts = [50, 100, 250, 500, 1000].map((amount, index) => ({ id: index + 1, amount, status: 'active' }))
      expect(await read('/star-options/available')).toEqual(amounts)
      expect(await read('/withdrawal-options')).toEqual(amounts)
      expect(await read('/users/premium-cost')).toEqual({ success: true, premiumCost: 50, days: 30 })
    }
    expect(getPremiumTerms(reader())).toEqual({ priceKurus: 5_000, days: 30 })
    expect((await api.get('/api/star-options/available')).body).toMatchObject({ code: 'NotSignedIn' })
  })

  it('[OPTION-03] are edited by the admin token alone', async () => {
    const fields = { amount: 75, status: 'active' }
    expect(await send('POST', '/api/root-admin/star-options', fields, bearer(root))).toMatchObject({
      code: 'Forbidden',
    })
    const member = await api.region.createMember('ada')
    const edits = [
      api.region.appContext.execute(starOptionCommands.add, member, { amount: 75, status: 'active' }),
      api.region.appContext.execute(starOptionCommands.update, member, { id: 1, amount: 75, status: 'active' }),
      api.region.appContext.execute(starOptionCommands.remove, member, { id: 1 }),
      api.region.appContext.execute(setPremiumCost, member, { premiumCost: 1, days: 1 }),
    ]
    for (const refused of await Promise.all(edits)) expect(refused).toMatchObject({ body: { code: 'Forbidden' } })
    expect(await send('POST', '/api/root-admin/star-options', fields)).toMatchObject({ success: true })
  })

  it('[OPTION-04] tell every connection of each change once, and of none without an effect', async () => {
    const clients = [
      await api.region.connectAs(await api.region.createGuest('lale')),
      await api.region.connectAs(await api.region.createMember('ada'), 2),
    ]
    const seen: [EventName, object][] = []
    const change = async (name: EventName, payload: object, method: string, path: string, body: object) => {
      expect(await send(method, `/api/root-admin${path}`, body)).toMatchObject({ success: true })
      expect(await send(method, `/api/root-admin${path}`, body)).toMatchObject(
        method === 'POST' ? { code: 'OptionExists' } : { success: true },
      )
      seen.push([name, payload])
    }
    const capacity = { numberOfPeople: 60, price: 190 }
    await change('capacityOptionAdded', { id: 6, ...capacity }, 'POST', '/capacity-options', capacity)
    const dearer = { numberOfPeople: 60, price: 200 }
    await change('capacityOptionUpdated', { id: 6, ...dearer }, 'PUT', '/capacity-options/6', dearer)
    await change('capacityOptionDeleted', { id: 6 }, 'DELETE', '/capacity-options/6', {})
    const duration = { durationInMonths: 2, discountPercentage: 0.05 }
    await change('durationOptionAdded', { id: 5, ...duration }, 'POST', '/duration-options', duration)
    const longer = { durationInMonths: 2, discountPercentage: 0.07 }
    await change('durationOptionUpdated', { id: 5, ...longer }, 'PUT', '/duration-options/5', longer)
    await change('durationOptionDeleted', { id: 5 }, 'DELETE', '/duration-options/5', {})
    for (const kind of ['star', 'withdrawal'] as const) {
      const amount = { amount: 75, status: 'active' }
      await change(`${kind}OptionAdded`, { id: 6, ...amount }, 'POST', `/${kind}-options`, amount)
      const off = { amount: 75, status: 'inactive' }
      await change(`${kind}OptionUpdated`, { id: 6, ...off }, 'PUT', `/${kind}-options/6`, off)
      await change(`${kind}OptionDeleted`, { id: 6 }, 'DELETE', `/${kind}-options/6`, {})
    }
    await change('premiumCostUpdated', { premiumCost: 60, days: 31 }, 'PUT', '/premium-cost', {
      premiumCost: 60,
      days: 31,
    })
    const bank = { bankName: 'Banka', accountHolder: 'Meydan', iban: 'TR330006100519786457841326' }
    await change('bankDetailsUpdated', { bank }, 'PUT', '/bank-details', { bank })
    for (const client of clients)
      for (const [name, payload] of seen) {
        expect(await client.waitForEvent(name)).toEqual(payload)
        expect(client.countEvents(name)).toBe(1)
      }
  })

  it('[OPTION-05] refuse amounts, sizes, durations and discounts out of bounds', async () => {
    const wrong: [string, object][] = [
      ...[0, -5, 1.5, 1_000_001].map((amount): [string, object] => ['/star-options', { amount, status: 'active' }]),
      ['/withdrawal-options', { amount: 10, status: 'gone' }],
      ...[1, 100_001, 2.5].map((numberOfPeople): [string, object] => [
        '/capacity-options',
        { numberOfPeople, price: 5 },
      ]),
      ...[-0.1, 1.01].map((discountPercentage): [string, object] => [
        '/duration-options',
        { durationInMonths: 9, discountPercentage },
      ]),
      ...[0, 61].map((durationInMonths): [string, object] => [
        '/duration-options',
        { durationInMonths, discountPercentage: 0 },
      ]),
    ]
    for (const [path, body] of wrong)
      expect([body, (await send('POST', `/api/root-admin${path}`, body)).code]).toEqual([body, 'InvalidInput'])
    const premium = { premiumCost: 5, days: 0 }
    expect(await send('PUT', '/api/root-admin/premium-cost', premium)).toMatchObject({ path: 'days' })
  })

  it('[OPTION-05] offer a choice once, in at most 30 options', async () => {
    const { execute } = api.region.appContext
    const exists = { body: { code: 'OptionExists' } }
    expect(await execute(capacityOptionCommands.add, actor(), { numberOfPeople: 25, price: 7 })).toMatchObject(exists)
    const twelve = { id: 1, durationInMonths: 12, discountPercentage: 0.5 }
    expect(await execute(durationOptionCommands.update, actor(), twelve)).toMatchObject(exists)
    expect(await execute(withdrawalOptionCommands.add, actor(), { amount: 50, status: 'inactive' })).toMatchObject(
      exists,
    )
    const amounts = Array.from({ length: MAX_OPTIONS }, (_, index) => index + 1)
    const results = await Promise.all(
      amounts.map((amount) => execute(starOptionCommands.add, actor(), { amount, status: 'active' })),
    )
    const refused = results.filter((result) => result instanceof Refusal)
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ body: { code: 'TooManyOptions' } })
    expect(listStarOptions(reader())).toHaveLength(MAX_OPTIONS)
  })

  it('[OPTION-02] [OPTION-06] are not offered when inactive or deleted, and ids are not given again', async () => {
    const { execute } = api.region.appContext
    const guest = bearer(await api.region.createGuest('lale'))
    const available = async () => JSON.stringify((await api.get('/api/star-options/available', guest)).body)
    await execute(starOptionCommands.update, actor(), { id: 5, amount: 1000, status: 'inactive' })
    expect(await available()).not.toContain('1000')
    expect(reader().get(activeStarOptionById, { id: 5 })).toBeUndefined()
    const all = (await api.get('/api/root-admin/star-options', admin)).body as unknown as object[]
    expect(all.at(-1)).toEqual({ id: 5, amount: 1000, status: 'inactive' })

    await execute(starOptionCommands.remove, actor(), { id: 5 })
    expect(listStarOptions(reader()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    const update = { id: 5, amount: 900, status: 'active' } as const
    expect(await execute(starOptionCommands.update, actor(), update)).toMatchObject({ body: { code: 'NotFound' } })
    expect(await execute(starOptionCommands.add, actor(), { amount: 1000, status: 'active' })).toMatchObject({
      option: { id: 6 },
    })
    await execute(capacityOptionCommands.remove, actor(), { id: 1 })
    expect(reader().get(capacityOptionById, { id: 1 })).toBeUndefined()
    expect(listCapacityOptions(reader())).toHaveLength(4)
    await execute(durationOptionCommands.remove, actor(), { id: 4 })
    expect(listDurationOptions(reader())).toHaveLength(3)
  })

  it('[OPTION-07] have no bank details at first, and store only an IBAN that is right', async () => {
    const guest = bearer(await api.region.createGuest('lale'))
    const read = async () => (await api.get('/api/wallet/bank-details', guest)).body.bank
    expect(await read()).toBeNull()
    const bank = { bankName: ' Banka ', accountHolder: 'Meydan A.Ş.', iban: 'tr33 0006 1005 1978 6457 8413 26' }
    const wrong = { ...bank, iban: 'TR330006100519786457841327' }
    expect(await send('PUT', '/api/root-admin/bank-details', { bank: wrong })).toMatchObject({ path: 'bank.iban' })
    expect(await send('PUT', '/api/root-admin/bank-details', { bank: { ...bank, bankName: ' ' } })).toMatchObject({
      path: 'bank.bankName',
      message: 'Lütfen tüm alanları doldurun!',
    })
    expect(await read()).toBeNull()
    const stored = { bankName: 'Banka', accountHolder: 'Meydan A.Ş.', iban: 'TR330006100519786457841326' }
    expect(await send('PUT', '/api/root-admin/bank-details', { bank })).toEqual({ success: true, bank: stored })
    expect(await read()).toEqual(stored)
    await send('PUT', '/api/root-admin/bank-details', { bank: null })
    expect(getBankDetails(reader())).toBeNull()
  })
})
