import { describe, expect, it } from 'vitest'
import { mountOf } from '../../scripts/regions/plan.ts'
import { processesWith } from '../../scripts/regions/processes.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { missing, openSite } from './open.ts'
import { allHear, Person, rootAdminsIn, rowsIn } from './people.ts'

/** Two regions and somebody in each, who have heard each other. */
async function openTwo() {
  const cluster = await openSite({ names: ['ist', 'fra'] })
  const { region } = cluster
  const sessions = await rootAdminsIn(cluster, 'ist', 'fra')
  const ist = await Person.comesTo(region('ist'), sessions.ist)
  const fra = await Person.comesTo(region('fra'), sessions.fra)
  await ist.say('Bir')
  await fra.say('İki')
  await allHear([ist, fra], ['Bir', 'İki'])
  return { cluster, region, ist, fra }
}

/** Resolves when neither LiteFS nor the site runs there any more. */
async function endsByItself({ plan }: Region): Promise<void> {
  await until(`${plan.name} has ended`, () => processesWith('LITEFS_MOUNT', mountOf(plan)).length === 0)
}

describe.skipIf(missing('litefs'))('a region that crashes', () => {
  it.each(['litefs', 'site'] as const)(
    '[REG-39] [REG-04] ends whole when its %s is killed, and comes back',
    async (which) => {
      const { region, ist, fra } = await openTwo()
      for (const [name, person] of [
        ['fra', fra],
        ['ist', ist],
      ] as const) {
        await region(name).kill9(which)
        await endsByItself(region(name))
        await region(name).start()
        const back = await Person.comesTo(region(name), person.session, person.line.cursor)
        await until(`${name} writes again`, async () => 'success' in (await back.trySaying(`${name} döndü`)))
      }
      const rows = ['Bir', 'İki', 'Fra döndü', 'İst döndü']
      for (const name of ['ist', 'fra'])
        await until(`${name} has all`, () => JSON.stringify(rowsIn(region(name))) === JSON.stringify(rows))
    },
  )

  it('[REG-39] has everything that it had answered, with kill -9 of both on the primary', async () => {
    const { region, ist, fra } = await openTwo()
    const answered: string[] = []
    const talking = (async () => {
      for (let i = 0; ; i++) {
        await ist.say(`Durmadan ${i}`)
        answered.push(`Durmadan ${i}`)
      }
    })().catch(() => {}) // it ends with the line
    await until('much is answered', () => answered.length > 50)
    await region('ist').kill9('both')
    await talking
    await region('ist').start()
    expect(rowsIn(region('ist')).slice(0, answered.length + 2)).toEqual(['Bir', 'İki', ...answered])

    const back = await Person.comesTo(region('ist'), ist.session)
    await back.say('Döndüm')
    await allHear([fra], [...answered, 'Döndüm'])
    expect(fra.contents()).toEqual(rowsIn(region('ist')))
  })
})
