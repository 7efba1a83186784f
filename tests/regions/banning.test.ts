import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { databaseOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { expectAnswer } from '../drivers/live-connection.ts'
import { fetchPage, RegionClient, signInGuestIn, signInRootAdmins, uniqueName } from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const terms = { duration: '1hr', banReason: 'Uygunsuz Mesaj' } as const

/** How many bans the region's copy of the database has. */
function countBans({ plan }: RegionProcess): number {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return Number(db.prepare('select count(*) from ban').pluck().get())
  } finally {
    db.close()
  }
}

describe.skipIf(findMissingTool('litefs'))('a ban in one region', () => {
  it('[MOD-03] [MOD-05] [MOD-10] [MOD-14] [MOD-16] holds in every other one', async () => {
    const cluster = await openSiteCluster({ env: { MEYDAN_AWAIT_REPLICA_ACK: '1' } })
    const { region, regions } = cluster
    const { fra } = await signInRootAdmins(cluster, 'fra')
    const root = await RegionClient.connect(region('fra'), fra)
    // Everybody here has one address, so whoever is needed enters before the ban.
    const [badName, goodName] = [uniqueName('Kaba'), uniqueName('Papatya')]
    const badSession = await signInGuestIn(region('sin'), badName)
    const goodSession = await signInGuestIn(region('ist'), goodName)
    const bad = await Promise.all(['sin', 'ist'].map((name) => RegionClient.connect(region(name), badSession)))
    const good = await Promise.all(['ist', 'sin'].map((name) => RegionClient.connect(region(name), goodSession)))
    const words = `Kötü sözler ${badName}`
    const speak = async () => !((await bad[0]?.trySendMessage(words)) instanceof Refusal)
    await pollUntil('the newcomer may speak', speak, 60_000)
    await pollUntil('all hear it', () => [root, ...good].every((person) => person.receivedContents().includes(words)))

    expectAnswer(await root.connection.request('banUser', { targetname: badName, ...terms }))
    expect(regions.filter((one) => countBans(one) > 0).length).toBeGreaterThanOrEqual(2)
    for (const { connection } of bad) {
      expect(await connection.closed).toBe(CloseCode.banned)
      expect(connection.receivedEvents('systemBannedNotification')).toHaveLength(1)
    }
    for (const { connection } of good) {
      await pollUntil('it is gone', () => connection.receivedEvents('removeBannedMessages').length > 0)
      expect([connection.receivedEvents('userBanned'), connection.receivedEvents('systemBannedNotification')]).toEqual([
        [],
        [],
      ])
    }
    for (const one of regions) {
      const { name } = one.plan
      await pollUntil(`${name} refuses`, async () => (await fetchPage(one, badSession)).status === 403)
      await expect(signInGuestIn(one, uniqueName('Başkası'))).rejects.toThrow('answered 403')
      expect((await fetchPage(one, goodSession)).text).not.toContain(words)
    }
  })

  it('[MOD-11] and a room that is cleared in one region is empty in every other', async () => {
    const cluster = await openSiteCluster()
    const { ist, sin } = await signInRootAdmins(cluster, 'ist', 'sin')
    const [first, second] = await Promise.all([
      RegionClient.connect(cluster.region('ist'), ist),
      RegionClient.connect(cluster.region('sin'), sin),
    ])
    await first.sendMessage('Silinecek sözler')
    await pollUntil('it is heard', () => second.receivedContents().includes('Silinecek sözler'))
    expectAnswer(await second.connection.request('clearRoomMessages', { roomId: 1 }))
    for (const { connection } of [first, second])
      await pollUntil('it is gone', () => connection.receivedEvents('clearMessages').length === 1)
    for (const one of cluster.regions) {
      const empty = async () => !(await fetchPage(one, ist)).text.includes('Silinecek sözler')
      await pollUntil(`${one.plan.name} shows nothing`, empty)
    }
  })
})
