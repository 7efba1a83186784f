import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { JOIN_WAIT_MS } from '../../src/shared/room-chat/limits.ts'
import { LiveConnection } from '../drivers/live-connection.ts'
import { PROJECT_ROOT } from '../drivers/site-process.ts'
import {
  fetchPage,
  RegionClient,
  type RegionSession,
  signInGuestIn,
  signInRootAdmins,
  uniqueName,
  waitForContents,
} from './region-client.ts'
import { fetchStatus } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const HOUR_MS = 60 * 60_000
/** Far less than an hour, and far more than a busy machine loses. */
const MAX_SKEW_MS = 5 * 60_000

/** What starts a region with a clock that is wrong by this. */
const clockSkewEnv = (offMs: number) => ({
  NODE_OPTIONS: `--import=${join(PROJECT_ROOT, 'tests/regions/shifted-clock.ts')}`,
  TEST_CLOCK_OFF_MS: String(offMs),
})

/** What the region takes the time to be, beyond this process's own. */
async function measureSkewMs({ plan }: RegionProcess, { token }: RegionSession): Promise<number> {
  const { line, hello } = await LiveConnection.open(originOf(plan), token)
  line.terminate()
  return hello.serverTime - Date.now()
}

describe.skipIf(findMissingTool('litefs'))('clocks an hour off', () => {
  it('[REG-38] keep nobody out: tokens, waits and cursors hold in all regions', async () => {
    const envOf = { fra: clockSkewEnv(HOUR_MS), sin: clockSkewEnv(-HOUR_MS) }
    const cluster = await openSiteCluster({ envOf })
    const { region, regions } = cluster
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra', 'sin')
    for (const here of regions) {
      const guest = await signInGuestIn(here, uniqueName('Saatli'))
      for (const there of regions) {
        expect((await fetchPage(there, guest)).text).toContain(guest.username)
        expect(Math.abs(await measureSkewMs(there, guest))).toBeLessThan(MAX_SKEW_MS)
      }
    }

    for (const name of ['fra', 'sin']) {
      const guest = await RegionClient.connect(region(name), await signInGuestIn(region(name), uniqueName('Yeni')))
      const tooSoon = await guest.trySendMessage('Hemen')
      if (!(tooSoon instanceof Refusal)) throw new Error('nobody may talk at once')
      expect(tooSoon.body.code).toBe('JustJoined')
      expect(tooSoon.body.waitMs).toBeLessThanOrEqual(JOIN_WAIT_MS)
      await pollUntil(
        'the wait is over',
        async () => !((await guest.trySendMessage(`${name} bekledi`)) instanceof Refusal),
      )
    }

    const [ist, fra] = [
      await RegionClient.connect(region('ist'), sessions.ist),
      await RegionClient.connect(region('fra'), sessions.fra),
    ]
    const from = Date.now()
    const { createdAt } = await fra.sendMessage('Saat kaç?')
    expect(createdAt).toBeGreaterThanOrEqual(from)
    expect(createdAt).toBeLessThanOrEqual(Date.now())
    await waitForContents([fra], ['Saat kaç?'])
    fra.connection.terminate()
    await ist.sendMessage('Yokken')
    const moved = await RegionClient.connect(region('sin'), sessions.fra, fra.connection.cursor)
    expect(moved.resumed).toBe(true)
    await waitForContents([moved], ['Yokken'])
    expect(moved.receivedContents()).toEqual(['Yokken'])
  })
})

describe.skipIf(findMissingTool('litefs', 'consul'))('a primary whose clock is an hour off', () => {
  it('[REG-38] [REG-18] goes on with the time that the site had', async () => {
    const cluster = await openSiteCluster({
      names: ['ist', 'fra'],
      withConsul: true,
      envOf: { fra: clockSkewEnv(HOUR_MS) },
    })
    const { region } = cluster
    const first = await pollUntil('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    // Whoever was the primary first has given the site its time, right or wrong.
    const offMs = first === 'fra' ? HOUR_MS : 0
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    await cluster.promote(second)
    await pollUntil(`${second} writes`, async () => (await fetchStatus(region(second)))?.role === 'primary')
    for (const name of ['ist', 'fra'] as const) {
      const person = await RegionClient.connect(region(name), sessions[name])
      const { createdAt } = await person.sendMessage(`${name} sorar`)
      expect(Math.abs((createdAt ?? 0) - Date.now() - offMs)).toBeLessThan(MAX_SKEW_MS)
      expect(Math.abs((await measureSkewMs(region(name), sessions[name])) - offMs)).toBeLessThan(MAX_SKEW_MS)
    }
  })
})
