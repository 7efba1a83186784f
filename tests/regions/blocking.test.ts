import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { missing, openSite } from './open.ts'
import { allHear, Person, pageIn, rootAdminsIn, type Session } from './people.ts'

async function change({ plan }: Region, { token }: Session, way: 'block' | 'unblock', blockedUsername: string) {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/${way}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ blockedUsername }),
  })
  expect(await answer.json()).toEqual({ success: true })
}

describe.skipIf(missing('litefs'))('a block in one region', () => {
  it('[REL-04] [REL-07] [REL-09] [REL-11] holds on the lines of the blocker in every other one, and for nobody else', async () => {
    const cluster = await openSite()
    const { region, regions } = cluster
    const sessions = await rootAdminsIn(cluster, 'fra', 'ist', 'sin')
    const ada = await Promise.all(['fra', 'sin'].map((name) => Person.comesTo(region(name), sessions.fra)))
    const can = await Person.comesTo(region('sin'), sessions.sin)
    const deniz = await Person.comesTo(region('ist'), sessions.ist)
    await can.say('Önce')
    await allHear([...ada, can, deniz], ['Önce'])

    await change(region('fra'), sessions.fra, 'block', sessions.sin.username)
    for (const { line } of [...ada, can]) {
      await until('the two hear of it', () => line.heard('userBlocked').length === 1)
    }
    await can.say('Engelliyken')
    await deniz.say('Arada')
    await allHear([can, deniz], ['Engelliyken', 'Arada'])
    await allHear(ada, ['Arada'])
    const pages = async (session: Session) =>
      Promise.all(regions.map(async (one) => (await pageIn(one, session)).text.includes('Engelliyken')))
    expect(await pages(sessions.fra)).toEqual(regions.map(() => false))
    expect(await pages(sessions.ist)).toEqual(regions.map(() => true))

    await change(region('sin'), sessions.fra, 'unblock', sessions.sin.username)
    for (const { line } of ada) await until('it is lifted', () => line.heard('userUnblocked').length === 1)
    await can.say('Sonra')
    await allHear([...ada, can, deniz], ['Sonra'])
    for (const one of ada) expect(one.contents()).toEqual(['Önce', 'Arada', 'Sonra'])
    expect(await pages(sessions.fra)).toEqual(regions.map(() => true))
    expect([...deniz.line.heard('userBlocked'), ...deniz.line.heard('userUnblocked')]).toEqual([])
  })
})
