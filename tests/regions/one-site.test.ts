import { describe, expect, it, onTestFinished } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import { until } from '../../scripts/regions/until.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { granted, LiveLine } from '../live-line.ts'
import { missing, openSite } from './open.ts'
import { allHear, allSee, enterAsGuest, knows, newName, Person, pageIn, rootAdminsIn, rowsIn } from './people.ts'
import { statusOf } from './status.ts'

const names = ['ist', 'fra', 'sin'] as const
const WORDS_EACH = 20

/** Three regions, and in each of them somebody in room 1 who may talk at once. */
async function openWithPeople() {
  const cluster = await openSite()
  const sessions = await rootAdminsIn(cluster, ...names)
  const people = await Promise.all(names.map((name) => Person.comesTo(cluster.region(name), sessions[name])))
  return { cluster, region: cluster.region, people }
}

async function activeUsers(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/api/rooms/1`)
  return ((await answer.json()) as { room: { activeUsers: number } }).room.activeUsers // the contract of the route
}

describe.skipIf(missing('litefs'))('three regions', () => {
  it('[REG-01] [REG-19] show the same people, and each message once and in one order', async () => {
    const { cluster, people } = await openWithPeople()
    await allSee(people, people)
    for (const { plan } of cluster.regions)
      await until(`${plan.name} counts 3`, async () => (await activeUsers(originOf(plan))) === 3)

    const said = people.flatMap(({ session }) =>
      Array.from({ length: WORDS_EACH }, (_, i) => `${session.username} ${i}`),
    )
    await Promise.all(said.map((content, i) => people[Math.floor(i / WORDS_EACH)]?.say(content)))
    await allHear(people, said)
    const [first, ...others] = people.map((person) => person.heard().map(({ id }) => id))
    expect(first).toHaveLength(said.length)
    expect(first).toEqual(first?.toSorted((a, b) => a - b))
    for (const ids of others) expect(ids).toEqual(first)
    const seqs = people.map(({ line }) => line.events.flatMap(({ seq }) => seq ?? []))
    for (const each of seqs) expect(each).toEqual([...new Set(each)].sort((a, b) => a - b))

    people[2]?.line.socket.close()
    await allSee(people.slice(0, 2), people.slice(0, 2))
  })

  it('[REG-23] [REG-24] show people what they wrote as soon as it is answered', async () => {
    const { cluster, people } = await openWithPeople()
    for (const [i, region] of cluster.regions.entries()) {
      const person = people[i]
      if (!person) throw new Error('somebody is in each region')
      await person.say(`Yazdım ${i}`)
      expect((await pageIn(region, person.session)).text).toContain(`Yazdım ${i}`)
      expect(rowsIn(region)).toContain(`Yazdım ${i}`)
      const guest = await enterAsGuest(region, newName('Misafirim'))
      expect((await pageIn(region, guest)).text).toContain(guest.username)
    }
  })

  it('[REG-27] [REG-22] take each other’s sessions at once, and end them everywhere', async () => {
    const { region } = await openWithPeople()
    for (const [here, there] of [
      ['fra', 'sin'],
      ['sin', 'ist'],
      ['ist', 'fra'],
    ] as const) {
      const guest = await enterAsGuest(region(here), newName('Gezgin'))
      const [page, abroad] = await Promise.all([pageIn(region(there), guest), Person.comesTo(region(there), guest)])
      expect(page.status).toBe(200)
      expect(page.text).toContain(guest.username)

      const origin = originOf(region(here).plan)
      const headers = { authorization: `Bearer ${guest.token}`, origin }
      const answer = await fetch(`${origin}/api/users/logout`, { method: 'POST', headers })
      expect(answer.status).toBe(200)
      expect(await abroad.line.closed).toBe(CloseCode.notSignedIn)
      expect(abroad.line.heard('forceDisconnect')).toHaveLength(1)
    }
  })

  it('[REG-21] notice somebody who is here twice, and go on with the newer', async () => {
    const { region } = await openWithPeople()
    const guest = await enterAsGuest(region('fra'), newName('İkiz'))
    const older = await Person.comesTo(region('fra'), guest)
    const { line: newer } = await LiveLine.open(originOf(region('sin').plan), guest.token)
    onTestFinished(() => newer.cut())
    await until('the newer is told', () => newer.heard('duplicateConnection').length > 0)
    expect(older.line.heard('duplicateConnection')).toEqual([])
    granted(await newer.ask('confirmDuplicateConnection', { action: 'disconnect_old' }))
    expect(await older.line.closed).toBe(CloseCode.replaced)
    expect(older.line.heard('forceDisconnect')).toHaveLength(1)
  })

  it('[REG-30] say which they are, and which is the primary', async () => {
    const { cluster } = await openWithPeople()
    for (const each of cluster.regions) {
      const { name } = each.plan
      const role = name === 'ist' ? 'primary' : 'replica'
      expect(await statusOf(each)).toMatchObject({ region: name, role, primary: 'ist' })
      expect(await pageIn(each, { cookie: '' }, '/')).toMatchObject({ status: 200, region: name })
      expect(await knows(each, newName('Kimse'))).toBe(false)
    }
  })
})
