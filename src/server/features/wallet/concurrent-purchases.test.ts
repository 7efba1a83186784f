// @module-tag deep
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { balanceOf } from '../../model/wallet/queries.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { openTestRegion } from '../../testing/fixtures/test-region.ts'
import { checkLedger } from './check-ledger.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'

const PURCHASES = 50
const PRICE_KURUS = 5_000

it.each([
  ['one purchase', PRICE_KURUS, 1],
  ['seven purchases', 7 * PRICE_KURUS + 1, 7],
])('[LEDGER-04] [LEDGER-06] charges %s of 50 at once, with money for no more', async (_, amountKurus, paid) => {
  const region = await openTestRegion({}, { hasWriterThread: true })
  try {
    const { config, execute, reader } = region.appContext
    const ada = await region.createMember('ada')
    giveMoney(config.databaseFile, { userId: ada.userId, amountKurus })
    const buy = () => execute(upgradeToPremium, ada, {}, { clientId: randomUUID() })
    const answers = await Promise.all(Array.from({ length: PURCHASES }, buy))
    const refused = answers.filter((answer) => answer instanceof Refusal)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['InsufficientBalance']))
    expect(answers.length - refused.length).toBe(paid)
    expect(balanceOf(reader, ada.userId).balanceKurus).toBe(amountKurus - paid * PRICE_KURUS)
    expect(checkLedger(reader)).toEqual([])
  } finally {
    await region.destroy()
  }
})

it('[LEDGER-18] charges 50 retries under one key once, with the same answer', async () => {
  const region = await openTestRegion({}, { hasWriterThread: true })
  try {
    const { config, execute, reader } = region.appContext
    const ada = await region.createMember('ada')
    giveMoney(config.databaseFile, { userId: ada.userId, amountKurus: 100 * PRICE_KURUS })
    const clientId = randomUUID()
    const buy = () => execute(upgradeToPremium, ada, {}, { clientId })
    const [first, ...others] = await Promise.all(Array.from({ length: PURCHASES }, buy))
    expect(first).toMatchObject({ success: true })
    for (const other of others) expect(other).toEqual(first)
    expect(balanceOf(reader, ada.userId).balanceKurus).toBe(99 * PRICE_KURUS)
  } finally {
    await region.destroy()
  }
})
