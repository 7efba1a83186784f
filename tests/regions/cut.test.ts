import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { Refusal, type RefusalCode } from '../../src/shared/protocol/refusals.ts'
import { missing, openSite } from './open.ts'
import { allHear, allSee, enterAsGuest, newName, Person, pageIn, rootAdminsIn, rowsIn } from './people.ts'
import { statusOf } from './status.ts'

/** The issue's own bound: after this the others show nobody of a region that cannot be reached. */
const GONE_MS = 15_000

/** Whether what this person says is refused with this code, now. */
async function isRefused(person: Person, clientId: string, code: RefusalCode): Promise<boolean> {
  const outcome = await person.trySaying('Kesikken', clientId)
  if (!(outcome instanceof Refusal)) throw new Error('it was written without a way to the primary')
  return outcome.body.code === code
}

async function tryToEnter({ plan }: Region): Promise<{ status: number; code: unknown }> {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/guest-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ username: newName('Giremez') }),
  })
  return { status: answer.status, code: ((await answer.json()) as { code?: unknown }).code } // the shape of every failure
}

describe.skipIf(missing('litefs'))('a region whose network is cut', () => {
  it.each(['refused', 'held'] as const)(
    '[REG-35] [REG-20] [REG-26] goes on reading, refuses to write, and heals by itself (%s)',
    async (fate) => {
      const cluster = await openSite()
      const { region } = cluster
      const sessions = await rootAdminsIn(cluster, 'ist', 'fra', 'sin')
      const [ist, fra, sin] = await Promise.all([
        Person.comesTo(region('ist'), sessions.ist),
        Person.comesTo(region('fra'), sessions.fra),
        Person.comesTo(region('sin'), sessions.sin),
      ])
      const neighbour = await enterAsGuest(region('fra'), newName('Komşu'))
      await ist.say('Önce')
      await allHear([ist, fra, sin], ['Önce'])
      await allSee([ist, fra, sin], [ist, fra, sin])

      cluster.setFate('fra', fate)
      await allSee([ist, sin], [ist, sin], GONE_MS)
      const clientId = randomUUID()
      await until('writing is refused', () => isRefused(fra, clientId, 'RegionCut'))
      expect(await tryToEnter(region('fra'))).toEqual({ status: 503, code: 'RegionCut' })
      expect((await pageIn(region('fra'), fra.session)).text).toContain('Önce')
      const beside = await Person.comesTo(region('fra'), neighbour)
      await until('presence in the region goes on', () => fra.sees().includes(neighbour.username))
      await until('the neighbour sees the other', () => beside.sees().includes(sessions.fra.username))
      expect((await statusOf(region('fra')))?.role).toBe('replica')
      await ist.say('Sonra')
      await allHear([ist, sin], ['Sonra'])
      expect(fra.contents()).toEqual(['Önce'])

      cluster.heal()
      await until('writing works again', async () => !((await fra.trySaying('Kesikken', clientId)) instanceof Refusal))
      const answers = [await fra.say('Kesikken', clientId), await fra.say('Kesikken', clientId)]
      expect(answers[0]?.id).toBe(answers[1]?.id)
      const everyone = [ist, fra, sin, beside]
      await allHear([ist, fra, sin], ['Önce', 'Sonra', 'Kesikken'])
      await allSee(everyone, everyone)
      for (const person of [ist, fra, sin]) expect(person.contents()).toEqual(['Önce', 'Sonra', 'Kesikken'])
      for (const each of cluster.regions) expect(rowsIn(each)).toEqual(['Önce', 'Sonra', 'Kesikken'])
    },
  )

  it('[REG-20] is as gone when both its processes are killed', async () => {
    const cluster = await openSite()
    const { region } = cluster
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra', 'sin')
    const [ist, fra, sin] = await Promise.all([
      Person.comesTo(region('ist'), sessions.ist),
      Person.comesTo(region('fra'), sessions.fra),
      Person.comesTo(region('sin'), sessions.sin),
    ])
    await allSee([ist, fra, sin], [ist, fra, sin])
    await region('sin').kill9('both')
    await allSee([ist, fra], [ist, fra], GONE_MS)
    await region('sin').start()
    const back = await Person.comesTo(region('sin'), sessions.sin)
    await allSee([ist, fra, back], [ist, fra, back])
  })

  it('[REG-20] is as gone when it was the primary, and the others still see each other when it is back', async () => {
    const cluster = await openSite()
    const { region } = cluster
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra', 'sin')
    const [ist, fra, sin] = await Promise.all([
      Person.comesTo(region('ist'), sessions.ist),
      Person.comesTo(region('fra'), sessions.fra),
      Person.comesTo(region('sin'), sessions.sin),
    ])
    await allSee([ist, fra, sin], [ist, fra, sin])
    await region('ist').kill9('both')
    const seesFirst = (person: Person) => person.sees().includes(sessions.ist.username)
    await until('its people are gone', () => !seesFirst(fra) && !seesFirst(sin), GONE_MS)
    await region('ist').start()
    await allSee([fra, sin], [fra, sin])
  })
})
