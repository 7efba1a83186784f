import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { databaseOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { granted } from '../live-line.ts'
import { missing, openSite } from './open.ts'
import { enterAsGuest, newName, Person, pageIn, rootAdminsIn } from './people.ts'

const terms = { duration: '1hr', banReason: 'Uygunsuz Mesaj' } as const

/** How many bans the region's copy of the database has. */
function bansIn({ plan }: Region): number {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return Number(db.prepare('select count(*) from ban').pluck().get())
  } finally {
    db.close()
  }
}

describe.skipIf(missing('litefs'))('a ban in one region', () => {
  it('[MOD-03] [MOD-05] [MOD-10] [MOD-14] [MOD-16] holds in every other one', async () => {
    const cluster = await openSite({ env: { MEYDAN_CONFIRM: '1' } })
    const { region, regions } = cluster
    const { fra } = await rootAdminsIn(cluster, 'fra')
    const root = await Person.comesTo(region('fra'), fra)
    // Everybody here has one address, so whoever is needed enters before the ban.
    const [badName, goodName] = [newName('Kaba'), newName('Papatya')]
    const badSession = await enterAsGuest(region('sin'), badName)
    const goodSession = await enterAsGuest(region('ist'), goodName)
    const bad = await Promise.all(['sin', 'ist'].map((name) => Person.comesTo(region(name), badSession)))
    const good = await Promise.all(['ist', 'sin'].map((name) => Person.comesTo(region(name), goodSession)))
    const words = `Kötü sözler ${badName}`
    const speak = async () => !((await bad[0]?.trySaying(words)) instanceof Refusal)
    await until('the newcomer may speak', speak, 60_000)
    await until('all hear it', () => [root, ...good].every((person) => person.contents().includes(words)))

    granted(await root.line.ask('banUser', { targetname: badName, ...terms }))
    expect(regions.filter((one) => bansIn(one) > 0).length).toBeGreaterThanOrEqual(2)
    for (const { line } of bad) {
      expect(await line.closed).toBe(CloseCode.banned)
      expect(line.heard('systemBannedNotification')).toHaveLength(1)
    }
    for (const { line } of good) {
      await until('it is gone', () => line.heard('removeBannedMessages').length > 0)
      expect([line.heard('userBanned'), line.heard('systemBannedNotification')]).toEqual([[], []])
    }
    for (const one of regions) {
      const { name } = one.plan
      await until(`${name} refuses`, async () => (await pageIn(one, badSession)).status === 403)
      await expect(enterAsGuest(one, newName('Başkası'))).rejects.toThrow('answered 403')
      expect((await pageIn(one, goodSession)).text).not.toContain(words)
    }
  })

  it('[MOD-11] and a room that is cleared in one region is empty in every other', async () => {
    const cluster = await openSite()
    const { ist, sin } = await rootAdminsIn(cluster, 'ist', 'sin')
    const [first, second] = await Promise.all([
      Person.comesTo(cluster.region('ist'), ist),
      Person.comesTo(cluster.region('sin'), sin),
    ])
    await first.say('Silinecek sözler')
    await until('it is heard', () => second.contents().includes('Silinecek sözler'))
    granted(await second.line.ask('clearRoomMessages', { roomId: 1 }))
    for (const { line } of [first, second]) await until('it is gone', () => line.heard('clearMessages').length === 1)
    for (const one of cluster.regions) {
      const empty = async () => !(await pageIn(one, ist)).text.includes('Silinecek sözler')
      await until(`${one.plan.name} shows nothing`, empty)
    }
  })
})
