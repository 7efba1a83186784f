// @module-tag deep
import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { databaseOf, originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { type RegionSession, runAdminCommandIn, signInRootAdmins } from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const PRICE_KURUS = 5_000
const START_KURUS = 10_000 * PRICE_KURUS
/** Purchases that each buyer gets answered before the primary is killed, and after it. */
const PURCHASES_PER_PHASE = 10
/** A failover takes 20 s. */
const MAX_PURCHASE_MS = 90_000

/** A member who buys premium again and again, each purchase under one key until it is answered. */
class Buyer {
  readonly userId: number
  paid = 0
  private readonly session: RegionSession
  private readonly regions: readonly RegionProcess[]
  private isStopped = false

  /** `regions`: the own one first, the others when it does not answer. */
  constructor(userId: number, session: RegionSession, regions: readonly RegionProcess[]) {
    this.userId = userId
    this.session = session
    this.regions = regions
  }

  async buyContinuously(): Promise<void> {
    while (!this.isStopped) {
      await this.buy()
      this.paid++
    }
  }

  stop(): void {
    this.isStopped = true
  }

  private async buy(): Promise<void> {
    const key = randomUUID()
    let attempt = 0
    const isPaid = async () => {
      const status = await this.request(attempt++, key)
      if (status !== null && status !== 200 && status !== 503) throw new Error(`a purchase was answered with ${status}`)
      return status === 200
    }
    await pollUntil('a purchase is answered', isPaid, MAX_PURCHASE_MS)
  }

  /** The status of one attempt; null without an answer. */
  private async request(attempt: number, key: string): Promise<number | null> {
    const { plan } = this.regions[attempt % this.regions.length] ?? expect.unreachable('a buyer has a region')
    const origin = originOf(plan)
    const headers = { origin, authorization: `Bearer ${this.session.token}`, 'idempotency-key': key }
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(5_000) }
    return fetch(`${origin}/api/users/upgrade-to-premium`, options).then(
      ({ status }) => status,
      () => null,
    )
  }
}

function readRegion<T>({ plan }: RegionProcess, read: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const findUserId = (region: RegionProcess, username: string) =>
  readRegion(region, (db) => Number(db.prepare('select id from user where username = ?').pluck().get(username)))

/** A user's purchases and balance in a region's copy. */
const accountIn = (region: RegionProcess, userId: number) =>
  readRegion(region, (db) => [
    db.prepare('select count(*) from premiumPurchase where userId = ?').pluck().get(userId),
    db.prepare('select sum(balanceKurus) from ledgerAccount where userId = ?').pluck().get(userId),
  ])

describe.skipIf(findMissingTool('litefs', 'consul'))('purchases in two regions', () => {
  it('[LEDGER-18] [LEDGER-19] are charged once each when the primary is killed between commit, confirmation and answer', async () => {
    const env = { MEYDAN_AWAIT_REPLICA_ACK: '1' }
    const cluster = await openSiteCluster({ names: ['ist', 'fra'], withConsul: true, env })
    const { region, regions } = cluster
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    const first = await pollUntil('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    const createBuyer = (name: 'ist' | 'fra') => {
      const userId = findUserId(region(first), sessions[name].username)
      giveMoney(databaseOf(region(first).plan), { userId, amountKurus: START_KURUS })
      return new Buyer(userId, sessions[name], [region(name), region(name === 'ist' ? 'fra' : 'ist')])
    }
    const buyers = (['ist', 'fra'] as const).map(createBuyer)
    for (const { userId } of buyers)
      await pollUntil('the money is there', () => accountIn(region(second), userId)[1] === START_KURUS)

    const buying = Promise.all(buyers.map((buyer) => buyer.buyContinuously()))
    buying.catch(() => {}) // handled where it is awaited
    const waitForPurchases = async (count = PURCHASES_PER_PHASE) => {
      const goals = buyers.map(({ paid }) => paid + count)
      const areDone = () => buyers.every(({ paid }, index) => paid >= (goals[index] ?? 0))
      await pollUntil('purchases are answered', areDone, 90_000)
    }
    await waitForPurchases()
    // Without confirmation, what was answered in the last half second would be lost.
    cluster.setCondition(first, { passesAfterMs: 500 }, ['litefs'])
    await waitForPurchases(3)
    await region(first).kill9('both')
    cluster.resetConditions()
    await pollUntil('the other region is the primary', async () => (await cluster.primary()) === second, 60_000)
    await region(first).start()
    await waitForPurchases()
    for (const buyer of buyers) buyer.stop()
    await buying

    for (const each of regions) {
      for (const { userId, paid } of buyers) {
        const expected = JSON.stringify([paid, START_KURUS - paid * PRICE_KURUS])
        const isSame = () => JSON.stringify(accountIn(each, userId)) === expected
        await pollUntil(`${each.plan.name} has ${expected}`, isSame)
      }
      expect(await runAdminCommandIn(each, ['check-ledger'])).toContain('The ledger is right')
    }
  })
})
