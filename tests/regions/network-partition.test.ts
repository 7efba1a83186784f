import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal, type RefusalCode } from '../../src/shared/protocol/refusals.ts'
import {
  fetchPage,
  RegionClient,
  readMessageContents,
  signInGuestIn,
  signInRootAdmins,
  uniqueName,
  waitForContents,
  waitForPresence,
} from './region-client.ts'
import { fetchStatus } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

/** REG-20: the other regions show the users of an unreachable region as offline within this time. */
const PRESENCE_TIMEOUT_MS = 15_000

/** Whether a message of this client is refused with the code. Throws when it is accepted. */
async function isRefused(client: RegionClient, clientId: string, code: RefusalCode): Promise<boolean> {
  const outcome = await client.trySendMessage('Kesikken', clientId)
  if (!(outcome instanceof Refusal)) throw new Error('the message was accepted without a route to the primary')
  return outcome.body.code === code
}

async function tryGuestLogin({ plan }: RegionProcess): Promise<{ status: number; code: unknown }> {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/guest-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ username: uniqueName('Giremez') }),
  })
  return { status: answer.status, code: ((await answer.json()) as { code?: unknown }).code } // the shape of every failure
}

describe.skipIf(findMissingTool('litefs'))('a region whose network is cut', () => {
  it.each(['refused', 'stalled'] as const)(
    '[REG-35] [REG-20] [REG-26] serves reads, refuses writes and recovers by itself when traffic is %s',
    async (fate) => {
      const cluster = await openSiteCluster()
      const { region } = cluster
      const sessions = await signInRootAdmins(cluster, 'ist', 'fra', 'sin')
      const [ist, fra, sin] = await Promise.all([
        RegionClient.connect(region('ist'), sessions.ist),
        RegionClient.connect(region('fra'), sessions.fra),
        RegionClient.connect(region('sin'), sessions.sin),
      ])
      const neighbour = await signInGuestIn(region('fra'), uniqueName('Komşu'))
      await ist.sendMessage('Önce')
      await waitForContents([ist, fra, sin], ['Önce'])
      await waitForPresence([ist, fra, sin], [ist, fra, sin])

      cluster.setCondition('fra', fate)
      await waitForPresence([ist, sin], [ist, sin], PRESENCE_TIMEOUT_MS)
      const clientId = randomUUID()
      await pollUntil('writing is refused', () => isRefused(fra, clientId, 'RegionCut'))
      expect(await tryGuestLogin(region('fra'))).toEqual({ status: 503, code: 'RegionCut' })
      expect((await fetchPage(region('fra'), fra.session)).text).toContain('Önce')
      const neighbourClient = await RegionClient.connect(region('fra'), neighbour)
      await pollUntil('the cut region still announces arrivals', () =>
        fra.onlineUsernames().includes(neighbour.username),
      )
      await pollUntil('the neighbour sees the root admin', () =>
        neighbourClient.onlineUsernames().includes(sessions.fra.username),
      )
      expect((await fetchStatus(region('fra')))?.role).toBe('replica')
      await ist.sendMessage('Sonra')
      await waitForContents([ist, sin], ['Sonra'])
      expect(fra.receivedContents()).toEqual(['Önce'])

      cluster.resetConditions()
      await pollUntil(
        'writing works again',
        async () => !((await fra.trySendMessage('Kesikken', clientId)) instanceof Refusal),
      )
      const answers = [await fra.sendMessage('Kesikken', clientId), await fra.sendMessage('Kesikken', clientId)]
      expect(answers[0]?.id).toBe(answers[1]?.id)
      const everyone = [ist, fra, sin, neighbourClient]
      await waitForContents([ist, fra, sin], ['Önce', 'Sonra', 'Kesikken'])
      await waitForPresence(everyone, everyone)
      for (const client of [ist, fra, sin]) expect(client.receivedContents()).toEqual(['Önce', 'Sonra', 'Kesikken'])
      for (const each of cluster.regions) expect(readMessageContents(each)).toEqual(['Önce', 'Sonra', 'Kesikken'])
    },
  )

  it('[REG-20] shows users as offline when both processes of their region are killed', async () => {
    const cluster = await openSiteCluster()
    const { region } = cluster
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra', 'sin')
    const [ist, fra, sin] = await Promise.all([
      RegionClient.connect(region('ist'), sessions.ist),
      RegionClient.connect(region('fra'), sessions.fra),
      RegionClient.connect(region('sin'), sessions.sin),
    ])
    await waitForPresence([ist, fra, sin], [ist, fra, sin])
    await region('sin').kill9('both')
    await waitForPresence([ist, fra], [ist, fra], PRESENCE_TIMEOUT_MS)
    await region('sin').start()
    const back = await RegionClient.connect(region('sin'), sessions.sin)
    await waitForPresence([ist, fra, back], [ist, fra, back])
  })

  it('[REG-20] shows users as offline when the primary is killed, and keeps the others online when it returns', async () => {
    const cluster = await openSiteCluster()
    const { region } = cluster
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra', 'sin')
    const [ist, fra, sin] = await Promise.all([
      RegionClient.connect(region('ist'), sessions.ist),
      RegionClient.connect(region('fra'), sessions.fra),
      RegionClient.connect(region('sin'), sessions.sin),
    ])
    await waitForPresence([ist, fra, sin], [ist, fra, sin])
    await region('ist').kill9('both')
    const seesFirst = (client: RegionClient) => client.onlineUsernames().includes(sessions.ist.username)
    await pollUntil('its users are offline', () => !seesFirst(fra) && !seesFirst(sin), PRESENCE_TIMEOUT_MS)
    await region('ist').start()
    await waitForPresence([fra, sin], [fra, sin])
  })
})
