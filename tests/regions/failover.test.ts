import { describe, expect, it } from 'vitest'
import { until } from '../../scripts/regions/until.ts'
import type { Cluster } from './cluster.ts'
import { missing, openSite } from './open.ts'
import { pageIn, rootAdminsIn, rowsIn, type Session } from './people.ts'
import { statusOf } from './status.ts'
import { Steadfast } from './steadfast.ts'

const names = ['ist', 'fra', 'sin'] as const
type Name = (typeof names)[number]
/** The issue's own bound: for so long writes may be refused at a graceful handover. */
const REFUSED_MS = 2_000
/** A command without a way to the primary is held for so long before it is refused. */
const HELD_MS = 2_000
/** The issue's own bound: after kill -9 somebody writes again within this. */
const BACK_MS = 25_000
/** What a former primary says in its log of what the site has lost. */
const LOSS = 'events were lost that this region had committed'
/** What everyone has to have said before something is done to them, and after it. */
const WORDS = 20

/** Three candidates under Consul, and somebody in each who talks on and on. */
async function openTalking() {
  const cluster = await openSite({ withConsul: true })
  const sessions = await rootAdminsIn(cluster, ...names)
  const first = (await until('a primary', cluster.primary)) as Name // one of those that were named
  const talkers = await Promise.all(names.map((name) => talkerIn(cluster, name, sessions[name])))
  const talking = Promise.all(talkers.map((talker) => talker.talk()))
  talking.catch(() => {}) // whoever awaits it gets it
  await haveSaid(talkers, WORDS)
  return { cluster, first, talkers, talking, others: names.filter((name) => name !== first) }
}

/** Their own region first, and any other while that is away. */
function talkerIn({ region }: Cluster, own: Name, session: Session): Promise<Steadfast> {
  const elsewhere = names.filter((name) => name !== own).map(region)
  return Steadfast.comesTo([region(own), ...elsewhere], session)
}

/** Resolves when each has so many more answers than now. */
async function haveSaid(talkers: Steadfast[], more: number): Promise<void> {
  const goals = talkers.map(({ answered }) => answered.length + more)
  await until(
    `everybody has said ${more} things`,
    () => talkers.every(({ answered }, i) => answered.length >= (goals[i] ?? 0)),
    90_000,
  )
}

async function fallSilent(talkers: Steadfast[], talking: Promise<unknown>): Promise<string[]> {
  for (const talker of talkers) talker.stopTalking()
  await talking
  return talkers.flatMap(({ answered }) => answered.map(({ content }) => content))
}

/** Everything that was answered is in the region's copy, and nothing twice. */
async function expectWhole(cluster: Cluster, name: string, answered: string[]): Promise<void> {
  await until(`${name} has all`, () => rowsIn(cluster.region(name)).length >= answered.length)
  expect(rowsIn(cluster.region(name)).toSorted()).toEqual(answered.toSorted())
}

describe.skipIf(missing('litefs', 'consul'))('the primary, under Consul', () => {
  it('[REG-29] [REG-25] [REG-11] hands over when it is told to end, and loses nothing', async () => {
    const { cluster, first, talkers, talking, others } = await openTalking()
    const { region } = cluster
    expect(await region(first).signal('SIGTERM')).toBe(0)
    expect(region(first).output()).toContain('handed the lease over')
    await haveSaid(talkers, WORDS)
    const answered = await fallSilent(talkers, talking)

    for (const talker of talkers) {
      const { longestGapMs, refusedForMs } = talker.waits()
      expect(refusedForMs).toBeLessThanOrEqual(REFUSED_MS)
      expect(longestGapMs).toBeLessThanOrEqual(HELD_MS + REFUSED_MS)
      expect(talker.startedOver).toBe(0)
    }
    const second = await until('another primary', cluster.primary)
    expect(others).toContain(second)
    await region(first).start()
    for (const name of names) await expectWhole(cluster, name, answered)
    for (const talker of talkers) {
      const ids = talker.heard().map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    }
    expect(region(first).output()).not.toContain(LOSS)
    expect(await statusOf(region(first))).toMatchObject({ role: 'replica', primary: second })
  })

  it('[REG-34] is replaced when it is killed', async () => {
    const { cluster, first, talkers, talking, others } = await openTalking()
    await cluster.region(first).kill9('both')
    await haveSaid(talkers, WORDS)
    const answered = await fallSilent(talkers, talking)
    for (const talker of talkers) expect(talker.waits().longestGapMs).toBeLessThanOrEqual(BACK_MS)

    const second = await until('another primary', cluster.primary)
    expect(others).toContain(second)
    const kept = rowsIn(cluster.region(second))
    expect(new Set(kept).size).toBe(kept.length)
    await cluster.region(first).start()
    for (const name of names) {
      await until(`${name} has all`, () => rowsIn(cluster.region(name)).length === kept.length)
      expect(rowsIn(cluster.region(name))).toEqual(kept)
    }
    // Replication is asynchronous, so a few may be gone; then whoever had them says so.
    const lost = answered.filter((content) => !kept.includes(content))
    if (lost.length > 0) await until('the loss is told', () => cluster.region(first).output().includes(LOSS))
  })

  it('[REG-35] is nobody while Consul is gone: all go on reading, and writing comes back with it', async () => {
    const { cluster, talkers, talking } = await openTalking()
    await cluster.consul?.kill9()
    await until('nobody is the primary', async () => (await cluster.primary()) === null)
    await until('everybody is refused', () => talkers.every(({ refusedAt }) => refusedAt.length > 0))
    for (const region of cluster.regions) {
      for (const { session } of talkers) expect((await pageIn(region, session)).text).toContain(session.username)
      expect(await statusOf(region)).toMatchObject({ role: 'replica', primary: null })
    }
    await cluster.consul?.start()
    await haveSaid(talkers, WORDS)
    const answered = await fallSilent(talkers, talking)
    for (const name of names) await expectWhole(cluster, name, answered)
  })
})
