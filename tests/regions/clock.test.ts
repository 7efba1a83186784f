import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { JOIN_WAIT_MS } from '../../src/shared/text/limits.ts'
import { LiveLine } from '../live-line.ts'
import { root } from '../site.ts'
import { missing, openSite } from './open.ts'
import { allHear, enterAsGuest, newName, Person, pageIn, rootAdminsIn, type Session } from './people.ts'
import { statusOf } from './status.ts'

const HOUR_MS = 60 * 60_000
/** Far less than an hour, and far more than a busy machine loses. */
const ALIKE_MS = 5 * 60_000

/** What starts a region with a clock that is wrong by this. */
const shiftedBy = (offMs: number) => ({
  NODE_OPTIONS: `--import=${join(root, 'tests/regions/shifted-clock.ts')}`,
  TEST_CLOCK_OFF_MS: String(offMs),
})

/** What the region takes the time to be, beyond this process's own. */
async function offIn({ plan }: Region, { token }: Session): Promise<number> {
  const { line, hello } = await LiveLine.open(originOf(plan), token)
  line.cut()
  return hello.serverTime - Date.now()
}

describe.skipIf(missing('litefs'))('clocks an hour off', () => {
  it('[REG-38] keep nobody out: tokens, waits and cursors hold in all regions', async () => {
    const envOf = { fra: shiftedBy(HOUR_MS), sin: shiftedBy(-HOUR_MS) }
    const cluster = await openSite({ envOf })
    const { region, regions } = cluster
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra', 'sin')
    for (const here of regions) {
      const guest = await enterAsGuest(here, newName('Saatli'))
      for (const there of regions) {
        expect((await pageIn(there, guest)).text).toContain(guest.username)
        expect(Math.abs(await offIn(there, guest))).toBeLessThan(ALIKE_MS)
      }
    }

    for (const name of ['fra', 'sin']) {
      const guest = await Person.comesTo(region(name), await enterAsGuest(region(name), newName('Yeni')))
      const tooSoon = await guest.trySaying('Hemen')
      if (!(tooSoon instanceof Refusal)) throw new Error('nobody may talk at once')
      expect(tooSoon.body.code).toBe('JustJoined')
      expect(tooSoon.body.waitMs).toBeLessThanOrEqual(JOIN_WAIT_MS)
      await until('the wait is over', async () => !((await guest.trySaying(`${name} bekledi`)) instanceof Refusal))
    }

    const [ist, fra] = [
      await Person.comesTo(region('ist'), sessions.ist),
      await Person.comesTo(region('fra'), sessions.fra),
    ]
    const from = Date.now()
    const { createdAt } = await fra.say('Saat kaç?')
    expect(createdAt).toBeGreaterThanOrEqual(from)
    expect(createdAt).toBeLessThanOrEqual(Date.now())
    await allHear([fra], ['Saat kaç?'])
    fra.line.cut()
    await ist.say('Yokken')
    const moved = await Person.comesTo(region('sin'), sessions.fra, fra.line.cursor)
    expect(moved.resumed).toBe(true)
    await allHear([moved], ['Yokken'])
    expect(moved.contents()).toEqual(['Yokken'])
  })
})

describe.skipIf(missing('litefs', 'consul'))('a primary whose clock is an hour off', () => {
  it('[REG-38] [REG-18] goes on with the time that the site had', async () => {
    const cluster = await openSite({ names: ['ist', 'fra'], withConsul: true, envOf: { fra: shiftedBy(HOUR_MS) } })
    const { region } = cluster
    const first = await until('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    // Whoever was the primary first has given the site its time, right or wrong.
    const offMs = first === 'fra' ? HOUR_MS : 0
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra')
    await cluster.promote(second)
    await until(`${second} writes`, async () => (await statusOf(region(second)))?.role === 'primary')
    for (const name of ['ist', 'fra'] as const) {
      const person = await Person.comesTo(region(name), sessions[name])
      const { createdAt } = await person.say(`${name} sorar`)
      expect(Math.abs((createdAt ?? 0) - Date.now() - offMs)).toBeLessThan(ALIKE_MS)
      expect(Math.abs((await offIn(region(name), sessions[name])) - offMs)).toBeLessThan(ALIKE_MS)
    }
  })
})
