// @module-tag deep
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
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
/** Far below the skew of an hour, far above the delays of a busy machine. */
const MAX_SKEW_MS = 5 * 60_000
/** Long enough that the first message comes too soon on a busy machine too. */
const TEST_JOIN_WAIT_MS = 5_000

/** The variables that shift the clock of a region. */
const clockSkewEnv = (skewMs: number) => ({
  NODE_OPTIONS: `--import=${join(PROJECT_ROOT, 'tests/regions/shifted-clock.ts')}`,
  TEST_CLOCK_OFF_MS: String(skewMs),
})

/** The region's clock minus the clock of this process. */
async function measureSkewMs({ plan }: RegionProcess, { token }: RegionSession): Promise<number> {
  const { connection, hello } = await LiveConnection.open(originOf(plan), token)
  connection.terminate()
  return hello.serverTime - Date.now()
}

/** Expects that a new guest of the region may send after the wait, and not before. */
async function expectJoinWait(region: RegionProcess): Promise<void> {
  const guest = await RegionClient.connect(region, await signInGuestIn(region, uniqueName('Yeni')))
  const tooSoon = await guest.trySendMessage('Hemen')
  if (!(tooSoon instanceof Refusal)) throw new Error('a newcomer’s message was accepted at once')
  expect(tooSoon.body.code).toBe('JustJoined')
  expect(tooSoon.body.waitMs).toBeLessThanOrEqual(TEST_JOIN_WAIT_MS)
  await pollUntil(
    'the wait is over',
    async () => !((await guest.trySendMessage(`${region.plan.name} bekledi`)) instanceof Refusal),
  )
}

describe.skipIf(findMissingTool('litefs'))('clocks an hour off', () => {
  it('[REG-38] accepts tokens, waits and cursors in all regions when clocks differ by an hour', async () => {
    const envOf = { fra: clockSkewEnv(HOUR_MS), sin: clockSkewEnv(-HOUR_MS) }
    const cluster = await openSiteCluster({ envOf, env: { MEYDAN_JOIN_WAIT_MS: String(TEST_JOIN_WAIT_MS) } })
    const { region, regions } = cluster
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra', 'sin')
    for (const signInRegion of regions) {
      const guest = await signInGuestIn(signInRegion, uniqueName('Saatli'))
      for (const otherRegion of regions) {
        expect((await fetchPage(otherRegion, guest)).text).toContain(guest.username)
        expect(Math.abs(await measureSkewMs(otherRegion, guest))).toBeLessThan(MAX_SKEW_MS)
      }
    }

    await Promise.all([expectJoinWait(region('fra')), expectJoinWait(region('sin'))])

    const [ist, fra] = [
      await RegionClient.connect(region('ist'), sessions.ist),
      await RegionClient.connect(region('fra'), sessions.fra),
    ]
    const startMs = Date.now()
    const { createdAt } = await fra.sendMessage('Saat kaç?')
    expect(createdAt).toBeGreaterThanOrEqual(startMs)
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
  it('[REG-38] [REG-18] keeps the cluster clock when a primary with a wrong clock takes over', async () => {
    const cluster = await openSiteCluster({
      names: ['ist', 'fra'],
      withConsul: true,
      envOf: { fra: clockSkewEnv(HOUR_MS) },
    })
    const { region } = cluster
    const first = await pollUntil('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    // The first primary sets the cluster clock, right or wrong.
    const expectedSkewMs = first === 'fra' ? HOUR_MS : 0
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    await cluster.promote(second)
    await pollUntil(`${second} writes`, async () => (await fetchStatus(region(second)))?.role === 'primary')
    for (const name of ['ist', 'fra'] as const) {
      const client = await RegionClient.connect(region(name), sessions[name])
      const { createdAt } = await client.sendMessage(`${name} sorar`)
      expect(Math.abs((createdAt ?? 0) - Date.now() - expectedSkewMs)).toBeLessThan(MAX_SKEW_MS)
      expect(Math.abs((await measureSkewMs(region(name), sessions[name])) - expectedSkewMs)).toBeLessThan(MAX_SKEW_MS)
    }
  })
})
