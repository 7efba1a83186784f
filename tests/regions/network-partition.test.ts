// @module-tag deep
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import type { NetworkCondition } from '../drivers/fault-proxy.ts'
import {
  connectRootAdmins,
  fetchPage,
  RegionClient,
  type RegionSession,
  readMessageContents,
  signInGuestIn,
  uniqueName,
  waitForContents,
  waitForPresence,
} from './region-client.ts'
import { fetchStatus } from './region-status.ts'
import { findMissingTool, openSiteCluster, shareSiteCluster } from './test-cluster.ts'

/** REG-20: the other regions show the users of an unreachable region as offline within this time. */
const PRESENCE_TIMEOUT_MS = 15_000

/** A root admin of a region whose network is cut, with a guest and a message of theirs. */
interface CutRegion {
  region: RegionProcess
  condition: NetworkCondition
  root: RegionClient
  guest: RegionSession
  /** What the root admin sends during the cut, always under the same id. */
  message: [content: string, clientId: string]
}

/** Whether the message is refused with RegionCut. Throws when it is accepted. */
async function isRefused({ root, message }: CutRegion): Promise<boolean> {
  const outcome = await root.trySendMessage(...message)
  if (!(outcome instanceof Refusal)) throw new Error('the message was accepted without a route to the primary')
  return outcome.body.code === 'RegionCut'
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

/** Expects that a cut region serves reads and shows arrivals, and refuses writes. Returns the guest, who arrives then. */
async function expectReadsOnly(cut: CutRegion): Promise<RegionClient> {
  const { region, root, guest } = cut
  await pollUntil('writing is refused', () => isRefused(cut))
  expect(await tryGuestLogin(region)).toEqual({ status: 503, code: 'RegionCut' })
  expect((await fetchPage(region, root.session)).text).toContain('Önce')
  const guestClient = await RegionClient.connect(region, guest)
  await pollUntil('the cut region still announces arrivals', () => root.onlineUsernames().includes(guest.username))
  await pollUntil('the guest sees the root admin', () => guestClient.onlineUsernames().includes(root.session.username))
  expect((await fetchStatus(region))?.role).toBe('replica')
  return guestClient
}

/** Expects that the message that was refused during the cut is accepted after it, once. */
async function expectWritesAgain({ root, message }: CutRegion): Promise<void> {
  await pollUntil('writing works again', async () => !((await root.trySendMessage(...message)) instanceof Refusal))
  const answers = [await root.sendMessage(...message), await root.sendMessage(...message)]
  expect(answers[0]?.id).toBe(answers[1]?.id)
}

describe.skipIf(findMissingTool('litefs'))('a region whose network is cut', () => {
  it('[REG-35] [REG-20] [REG-26] serves reads, refuses writes and recovers by itself, whether traffic is refused or stalled', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra', 'sin', 'lon'] })
    const { ist, sin, ...others } = await connectRootAdmins(cluster, 'ist', 'sin', 'fra', 'lon')
    const describeCut = async (name: 'fra' | 'lon', condition: NetworkCondition): Promise<CutRegion> => {
      const region = cluster.region(name)
      const guest = await signInGuestIn(region, uniqueName('Komşu'))
      return { region, condition, root: others[name], guest, message: [`Kesikken ${name}`, randomUUID()] }
    }
    const cuts = [await describeCut('fra', 'refused'), await describeCut('lon', 'stalled')]
    const roots = [ist, sin, ...cuts.map(({ root }) => root)]
    await ist.sendMessage('Önce')
    await waitForContents(roots, ['Önce'])
    await waitForPresence(roots, roots)

    for (const { region, condition } of cuts) cluster.setCondition(region.plan.name, condition)
    await waitForPresence([ist, sin], [ist, sin], PRESENCE_TIMEOUT_MS)
    const guests = await Promise.all(cuts.map(expectReadsOnly))
    await ist.sendMessage('Sonra')
    await waitForContents([ist, sin], ['Sonra'])
    for (const { root } of cuts) expect(root.receivedContents()).toEqual(['Önce'])

    cluster.resetConditions()
    await Promise.all(cuts.map(expectWritesAgain))
    const contents = ['Önce', 'Sonra', ...cuts.map(({ message }) => message[0])]
    await waitForContents(roots, contents)
    await waitForPresence([...roots, ...guests], [...roots, ...guests])
    // Either of the two regions may write first.
    expect(ist.receivedContents().slice(0, 2)).toEqual(['Önce', 'Sonra'])
    expect(ist.receivedContents().toSorted()).toEqual(contents.toSorted())
    for (const root of roots) expect(root.receivedContents()).toEqual(ist.receivedContents())
    for (const each of cluster.regions) expect(readMessageContents(each)).toEqual(ist.receivedContents())
  })
})

describe.skipIf(findMissingTool('litefs'))('a region whose processes are killed', () => {
  const openedCluster = shareSiteCluster()

  it('[REG-20] shows users as offline when both processes of their region are killed', async () => {
    const { region } = openedCluster()
    const { ist, fra, sin } = await connectRootAdmins(openedCluster(), 'ist', 'fra', 'sin')
    await waitForPresence([ist, fra, sin], [ist, fra, sin])
    await region('sin').kill9('both')
    await waitForPresence([ist, fra], [ist, fra], PRESENCE_TIMEOUT_MS)
    await region('sin').start()
    const back = await RegionClient.connect(region('sin'), sin.session)
    await waitForPresence([ist, fra, back], [ist, fra, back])
  })

  it('[REG-20] shows users as offline when the primary is killed, and keeps the others online when it returns', async () => {
    const { region } = openedCluster()
    const { ist, fra, sin } = await connectRootAdmins(openedCluster(), 'ist', 'fra', 'sin')
    await waitForPresence([ist, fra, sin], [ist, fra, sin])
    await region('ist').kill9('both')
    const seesFirst = (client: RegionClient) => client.onlineUsernames().includes(ist.session.username)
    await pollUntil('its users are offline', () => !seesFirst(fra) && !seesFirst(sin), PRESENCE_TIMEOUT_MS)
    await region('ist').start()
    await waitForPresence([fra, sin], [fra, sin])
  })
})
