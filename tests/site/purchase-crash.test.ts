// @module-tag deep
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { runAdminCommand, type SiteProcess, startSite } from '../drivers/site-process.ts'

const BUYERS = 8
/** The site is killed at each of these numbers of answered purchases; the buyers stop after the last. */
const KILLED_AT = [50, 120]
const PURCHASES = 200
const PRICE_KURUS = 5_000
const START_KURUS = PURCHASES * PRICE_KURUS

interface Buyer {
  id: number
  token: string
  paid: number
}

describe('a site that is killed with -9 while members buy', () => {
  let site: SiteProcess
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
    return () => site.stop()
  })

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${site.origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site.origin, ...headers },
      body: JSON.stringify(body),
    })

  async function createBuyer(index: number): Promise<Buyer> {
    const account = { username: `Alıcı${index}`, password: 'uzun-bir-parola', age: 30, termsAccepted: true }
    const { user, token } = (await (await post('/users/register', account)).json()) as SignedIn // the route's schema
    giveMoney(join(site.dataFolder, 'meydan.db'), { userId: user.id, amountKurus: START_KURUS })
    return { id: user.id, token, paid: 0 }
  }

  it('[LEDGER-18] [LEDGER-19] charges every answered purchase, each once, and no other', async () => {
    const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => createBuyer(index)))
    let restarting: Promise<void> = Promise.resolve()
    /** Repeats one purchase under the same key until it is answered. */
    const buy = async ({ token }: Buyer): Promise<void> => {
      const key = { 'idempotency-key': randomUUID(), authorization: `Bearer ${token}` }
      for (;;) {
        const status = await post('/users/upgrade-to-premium', {}, key).then(
          (response) => response.status,
          () => null,
        )
        if (status === 200) return
        if (status !== null && status !== 503) throw new Error(`a purchase was answered with ${status}`)
        await restarting
      }
    }
    let answered = 0
    const kills = [...KILLED_AT]
    const buyUntilDone = async (buyer: Buyer): Promise<void> => {
      while (answered < PURCHASES) {
        await buy(buyer)
        buyer.paid++
        if (++answered < (kills[0] ?? Number.POSITIVE_INFINITY)) continue
        kills.shift()
        restarting = site.restart()
      }
    }
    await Promise.all(buyers.map(buyUntilDone))
    expect(kills).toEqual([])

    const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true })
    const purchases = db.prepare('select count(*) from premiumPurchase where userId = ?').pluck()
    const balance = db.prepare('select sum(balanceKurus) from ledgerAccount where userId = ?').pluck()
    const found = buyers.map(({ id }) => [purchases.get(id), balance.get(id)])
    expect(found).toEqual(buyers.map(({ paid }) => [paid, START_KURUS - paid * PRICE_KURUS]))
    db.close()
    expect(await runAdminCommand(site, 'check-ledger')).toContain('The ledger is right')
  })
})
