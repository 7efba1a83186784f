import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { giftShareKurus } from '../../../shared/gifts/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { query } from '../../model/schema/query.ts'
import { balanceOf } from '../../model/wallet/queries.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { checkLedger } from '../wallet/check-ledger.ts'
import { sendGift } from './send-gift.ts'
import { setGiftShare } from './set-gift-share.ts'
import { updateGiftKind } from './update-gift-kind.ts'

let region: TestRegion
let members: TestUser[]
let root: TestUser
beforeEach(async () => {
  region = await openTestRegion()
  members = [await region.createMember('ada'), await region.createMember('can'), await region.createMember('ece')]
  root = await region.createRootAdmin('kök')
})
afterEach(() => region.destroy())

const giftIncome = query()((db) =>
  db.selectFrom('ledgerAccount').select('balanceKurus').where('kind', '=', 'giftIncome'),
)

const member = fc.nat(2)
const giftKindId = fc.integer({ min: 1, max: 3 })
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ from: member, to: member, giftKindId, price: fc.option(fc.constant(5)) }) },
  fc.record({ giftKindId, newPrice: fc.integer({ min: 1, max: 60 }), isOn: fc.boolean() }),
  fc.record({ share: fc.integer({ min: 0, max: 100 }) }),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

async function perform(action: Action): Promise<object> {
  const { execute } = region.appContext
  if ('share' in action) return execute(setGiftShare, root, { sharePercent: action.share })
  if ('newPrice' in action) {
    const change = {
      id: action.giftKindId,
      price: action.newPrice,
      status: action.isOn ? 'active' : 'inactive',
    } as const
    return execute(updateGiftKind, root, change)
  }
  const [from, to] = [members[action.from] ?? root, members[action.to] ?? root]
  const gift = { giftKindId: action.giftKindId, recipientId: to.userId, price: action.price ?? undefined }
  return execute(sendGift, from, { ...gift, roomId: null, isShared: false })
}

const total = () =>
  members.reduce((sum, { userId }) => sum + balanceOf(region.appContext.reader, userId).balanceKurus, 0)

it('[GIFT-03] moves exactly its price, in any order with changes of prices and of the part', async () => {
  const { reader, config } = region.appContext
  for (const { userId } of members) giveMoney(config.databaseFile, { userId, amountKurus: 5_000 })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      const before = { total: total(), income: incomeKurus() }
      const results = await Promise.all(actions.map(perform))
      expect(results.every((result) => 'success' in result || result instanceof Refusal)).toBe(true)
      expect(before.total - total()).toBe(incomeKurus() - before.income)
      expect(checkLedger(reader)).toEqual([])
      for (const { userId } of members) {
        const { balanceKurus, withdrawableKurus } = balanceOf(reader, userId)
        expect(withdrawableKurus).toBeGreaterThanOrEqual(0)
        expect(balanceKurus).toBeGreaterThanOrEqual(withdrawableKurus)
      }
    }),
    { numRuns: 25 },
  )
})

it('[GIFT-03] lets 50 gifts at once with money for one be one', async () => {
  const [ada, can] = members
  if (!ada || !can) throw new Error('three members were created')
  giveMoney(region.appContext.config.databaseFile, { userId: ada.userId, amountKurus: 1_900 })
  const gift = { giftKindId: 2, recipientId: can.userId, roomId: null, isShared: false }
  const results = await Promise.all(Array.from({ length: 50 }, () => region.appContext.execute(sendGift, ada, gift)))
  expect(results.filter((result) => !(result instanceof Refusal))).toHaveLength(1)
  expect(balanceOf(region.appContext.reader, ada.userId).balanceKurus).toBe(900)
})

it('[GIFT-02] rounds the recipient’s part down, so that both parts are the price', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 0, max: 100 }), (priceKurus, percent) => {
      const share = giftShareKurus(priceKurus, percent)
      expect(Number.isInteger(share) && share >= 0 && share <= priceKurus).toBe(true)
      expect((priceKurus * percent) / 100 - share).toBeLessThan(1)
    }),
  )
})

function incomeKurus(): number {
  const account = region.appContext.reader.get(giftIncome)
  return account?.balanceKurus ?? 0
}
