// @module-tag deep
import { describe, expect, it, onTestFinished } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import { CloseCode } from '../../../src/shared/protocol/frame.ts'
import { expectAnswer, LiveConnection } from '../../drivers/live-connection.ts'
import {
  connectRootAdmins,
  fetchPage,
  isRegisteredIn,
  RegionClient,
  readMessageContents,
  signInGuestIn,
  uniqueName,
  waitForContents,
  waitForPresence,
} from '../region-client.ts'
import { fetchStatus } from '../region-status.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

const names = ['ist', 'fra', 'sin'] as const
const MESSAGES_EACH = 20

async function fetchActiveUserCount(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/api/rooms/1`)
  return ((await answer.json()) as { room: { activeUsers: number } }).room.activeUsers // the contract of the route
}

describe.skipIf(findMissingTool('litefs'))('three regions', () => {
  const openedCluster = shareFileCluster()

  it('[REG-01] [REG-19] shows the same users in three regions, and each message once and in one order', async () => {
    const cluster = openedCluster()
    const clients = Object.values(await connectRootAdmins(cluster, ...names))
    await waitForPresence(clients, clients)
    for (const { plan } of cluster.regions)
      await pollUntil(`${plan.name} counts 3`, async () => (await fetchActiveUserCount(originOf(plan))) === 3)

    const contents = clients.flatMap(({ session }) =>
      Array.from({ length: MESSAGES_EACH }, (_, i) => `${session.username} ${i}`),
    )
    await Promise.all(contents.map((content, i) => clients[Math.floor(i / MESSAGES_EACH)]?.sendMessage(content)))
    await waitForContents(clients, contents)
    const [first, ...others] = clients.map((client) => client.receivedMessages().map(({ id }) => id))
    expect(first).toHaveLength(contents.length)
    expect(first).toEqual(first?.toSorted((a, b) => a - b))
    for (const ids of others) expect(ids).toEqual(first)
    const seqs = clients.map(({ connection }) => connection.events.flatMap(({ seq }) => seq ?? []))
    for (const each of seqs) expect(each).toEqual([...new Set(each)].sort((a, b) => a - b))

    clients[2]?.connection.socket.close()
    await waitForPresence(clients.slice(0, 2), clients.slice(0, 2))
  })

  it('[REG-23] [REG-24] shows a client its own change as soon as it is answered', async () => {
    const cluster = openedCluster()
    const clients = Object.values(await connectRootAdmins(cluster, ...names))
    for (const [i, region] of cluster.regions.entries()) {
      const client = clients[i]
      if (!client) throw new Error('there is no client in this region')
      await client.sendMessage(`Yazdım ${i}`)
      expect((await fetchPage(region, client.session)).text).toContain(`Yazdım ${i}`)
      expect(readMessageContents(region)).toContain(`Yazdım ${i}`)
      const guest = await signInGuestIn(region, uniqueName('Misafirim'))
      expect((await fetchPage(region, guest)).text).toContain(guest.username)
    }
  })

  it('[REG-27] [REG-22] accepts a session in every region at once and ends it everywhere', async () => {
    const { region } = openedCluster()
    for (const [home, other] of [
      ['fra', 'sin'],
      ['sin', 'ist'],
      ['ist', 'fra'],
    ] as const) {
      const guest = await signInGuestIn(region(home), uniqueName('Gezgin'))
      const [page, client] = await Promise.all([
        fetchPage(region(other), guest),
        RegionClient.connect(region(other), guest),
      ])
      expect(page.status).toBe(200)
      expect(page.text).toContain(guest.username)

      const origin = originOf(region(home).plan)
      const headers = { authorization: `Bearer ${guest.token}`, origin }
      const answer = await fetch(`${origin}/api/users/logout`, { method: 'POST', headers })
      expect(answer.status).toBe(200)
      expect(await client.connection.closed).toBe(CloseCode.notSignedIn)
      expect(client.connection.receivedEvents('forceDisconnect')).toHaveLength(1)
    }
  })

  it('[REG-21] detects a second connection in another region and keeps the newer one', async () => {
    const { region } = openedCluster()
    const guest = await signInGuestIn(region('fra'), uniqueName('İkiz'))
    const older = await RegionClient.connect(region('fra'), guest)
    const { connection: newer } = await LiveConnection.open(originOf(region('sin').plan), guest.token)
    onTestFinished(() => newer.terminate())
    await pollUntil('the newer connection is notified', () => newer.receivedEvents('duplicateConnection').length > 0)
    expect(older.connection.receivedEvents('duplicateConnection')).toEqual([])
    expectAnswer(await newer.request('confirmDuplicateConnection', { action: 'disconnect_old' }))
    expect(await older.connection.closed).toBe(CloseCode.replaced)
    expect(older.connection.receivedEvents('forceDisconnect')).toHaveLength(1)
  })

  it('[REG-30] reports the name of the region and of the primary', async () => {
    for (const each of openedCluster().regions) {
      const { name } = each.plan
      const role = name === 'ist' ? 'primary' : 'replica'
      expect(await fetchStatus(each)).toMatchObject({ region: name, role, primary: 'ist' })
      expect(await fetchPage(each, { cookie: '' }, '/')).toMatchObject({ status: 200, region: name })
      expect(await isRegisteredIn(each, uniqueName('Kimse'))).toBe(false)
    }
  })
})
