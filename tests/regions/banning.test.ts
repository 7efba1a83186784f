// @module-tag deep
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { databaseOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { expectAnswer } from '../drivers/live-connection.ts'
import { connectRootAdmins, fetchPage, RegionClient, signInGuestIn, uniqueName } from './region-client.ts'
import { findMissingTool, shareSiteCluster } from './test-cluster.ts'

const terms = { duration: '1hr', banReason: 'Uygunsuz Mesaj' } as const

/** Counts the bans in the region's copy of the database. */
function countBans({ plan }: RegionProcess): number {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return Number(db.prepare("select count(*) from restriction where kind <> 'mute'").pluck().get())
  } finally {
    db.close()
  }
}

describe.skipIf(findMissingTool('litefs'))('moderation across regions', () => {
  const openedCluster = shareSiteCluster({ env: { MEYDAN_AWAIT_REPLICA_ACK: '1' } })

  it('[MOD-11] clears a room of one region in every other region', async () => {
    const { ist: first, sin: second } = await connectRootAdmins(openedCluster(), 'ist', 'sin')
    await first.sendMessage('Silinecek sözler')
    await pollUntil('it is received', () => second.receivedContents().includes('Silinecek sözler'))
    expectAnswer(await second.connection.request('clearRoomMessages', { roomId: 1 }))
    for (const { connection } of [first, second])
      await pollUntil('the room is cleared', () => connection.receivedEvents('clearMessages').length === 1)
    for (const each of openedCluster().regions) {
      const isCleared = async () => !(await fetchPage(each, first.session)).text.includes('Silinecek sözler')
      await pollUntil(`${each.plan.name} shows no message`, isCleared)
    }
  })

  // Last: the ban also applies to the address that all clients of this test share.
  it('[MOD-03] [MOD-05] [MOD-10] [MOD-14] [MOD-16] applies a ban of one region in every other region', async () => {
    const { region, regions } = openedCluster()
    const { fra: root } = await connectRootAdmins(openedCluster(), 'fra')
    // All clients share one address, so everyone enters before the ban.
    const [badName, goodName] = [uniqueName('Kaba'), uniqueName('Papatya')]
    const badSession = await signInGuestIn(region('sin'), badName)
    const goodSession = await signInGuestIn(region('ist'), goodName)
    const bad = await Promise.all(['sin', 'ist'].map((name) => RegionClient.connect(region(name), badSession)))
    const good = await Promise.all(['ist', 'sin'].map((name) => RegionClient.connect(region(name), goodSession)))
    const content = `Kötü sözler ${badName}`
    const canSend = async () => !((await bad[0]?.trySendMessage(content)) instanceof Refusal)
    await pollUntil('the newcomer may send', canSend, 60_000)
    await pollUntil('everyone receives it', () =>
      [root, ...good].every((client) => client.receivedContents().includes(content)),
    )

    expectAnswer(await root.connection.request('banUser', { targetname: badName, ...terms }))
    expect(regions.filter((each) => countBans(each) > 0).length).toBeGreaterThanOrEqual(2)
    for (const { connection } of bad) {
      expect(await connection.closed).toBe(CloseCode.banned)
      expect(connection.receivedEvents('systemBannedNotification')).toHaveLength(1)
    }
    for (const { connection } of good) {
      await pollUntil('the messages are removed', () => connection.receivedEvents('removeBannedMessages').length > 0)
      expect([connection.receivedEvents('userBanned'), connection.receivedEvents('systemBannedNotification')]).toEqual([
        [],
        [],
      ])
    }
    for (const each of regions) {
      const { name } = each.plan
      await pollUntil(`${name} refuses`, async () => (await fetchPage(each, badSession)).status === 403)
      await expect(signInGuestIn(each, uniqueName('Başkası'))).rejects.toThrow('answered 403')
      expect((await fetchPage(each, goodSession)).text).not.toContain(content)
    }
  })
})
