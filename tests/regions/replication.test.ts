import { describe, expect, it } from 'vitest'
import { until } from '../../scripts/regions/until.ts'
import { missing, openSite } from './open.ts'
import { allHear, Person, pageIn, rootAdminsIn, rowsIn } from './people.ts'
import { transactionsOf } from './status.ts'

/** More than a page of a room shows, and than one batch commits. */
const MANY = 300
const SLOW_MS = 300

/** Two regions and somebody in each. */
async function openTwo(env: Record<string, string> = {}) {
  const cluster = await openSite({ names: ['ist', 'fra'], env })
  const { region } = cluster
  const sessions = await rootAdminsIn(cluster, 'ist', 'fra')
  const speaker = await Person.comesTo(region('ist'), sessions.ist)
  const listener = await Person.comesTo(region('fra'), sessions.fra)
  return { cluster, region, speaker, listener }
}

async function sayMany(speaker: Person, count: number, what: string): Promise<string[]> {
  const said = Array.from({ length: count }, (_, i) => `${what} ${i}`)
  await Promise.all(said.map((content) => speaker.say(content)))
  await allHear([speaker], said)
  return said
}

const inOrder = (person: Person) => person.heard().map(({ id }) => id)

describe.skipIf(missing('litefs'))('a region that replicates', () => {
  it('[REG-03] tells its people everything, once and in order, when it comes in bulk', async () => {
    const { cluster, region, speaker, listener } = await openTwo()
    cluster.setFate('fra', 'held')
    const said = await sayMany(speaker, MANY, 'Toplu')
    expect(listener.contents()).toEqual([])
    cluster.heal()
    await allHear([listener], said)
    expect(inOrder(listener)).toEqual(inOrder(speaker))
    expect(rowsIn(region('fra'))).toEqual(rowsIn(region('ist')))
  })

  it('[REG-03] tells them all of it after a snapshot, too', async () => {
    const { cluster, region, speaker, listener } = await openTwo({
      LITEFS_RETENTION: '1s',
      LITEFS_RETENTION_INTERVAL: '1s',
    })
    await speaker.say('Önce')
    await allHear([speaker, listener], ['Önce'])
    cluster.setFate('fra', 'refused')
    const known = transactionsOf(region('fra')).at(-1) ?? ''
    await sayMany(speaker, MANY, 'Yokken')
    // What fra would have to go on from is what comes after the last that it knows.
    const isGone = () => !transactionsOf(region('ist')).some((name) => name <= known)
    await until('the primary has forgotten', async () => {
      await speaker.say('Arada')
      return isGone()
    })
    cluster.heal()
    await speaker.say('Sonra')
    await allHear([listener], ['Sonra'])
    expect(region('ist').output()).toContain('writing snapshot')
    await until('as much is heard', () => listener.heard().length === speaker.heard().length)
    expect(inOrder(listener)).toEqual(inOrder(speaker))
    expect(rowsIn(region('fra'))).toEqual(rowsIn(region('ist')))
  })

  it('[REG-24] shows people what they wrote over a slow link, too', async () => {
    const { cluster, region, speaker, listener } = await openTwo()
    cluster.setFate('fra', { passesAfterMs: SLOW_MS })
    const saidAt = performance.now()
    await listener.say('Yavaşça')
    expect(performance.now() - saidAt).toBeGreaterThan(2 * SLOW_MS)
    expect((await pageIn(region('fra'), listener.session)).text).toContain('Yavaşça')
    await allHear([speaker, listener], ['Yavaşça'])
    const said = await sayMany(speaker, 20, 'Uzaktan')
    await allHear([listener], said)
    expect(inOrder(listener)).toEqual(inOrder(speaker))
  })

  it('[REG-24] keeps an answer back until it shows what it tells of, but not for ever', async () => {
    const { cluster, region, speaker, listener } = await openTwo()
    cluster.setFate('fra', { passesAfterMs: SLOW_MS }, ['litefs'])
    for (const word of ['Bir', 'İki', 'Üç']) {
      expect(await listener.say(word)).not.toHaveProperty('behind')
      expect((await pageIn(region('fra'), listener.session)).text).toContain(word)
    }
    cluster.setFate('fra', 'held', ['litefs'])
    expect(await listener.say('Geciken')).toMatchObject({ behind: true })
    await allHear([speaker], ['Geciken'])
    expect((await pageIn(region('fra'), listener.session)).text).not.toContain('Geciken')
    cluster.heal()
    await allHear([listener], ['Geciken'])
    expect(inOrder(listener)).toEqual(inOrder(speaker))
  })

  it('[REG-03] lets people go on where they were when it was away and is back', async () => {
    const { region, speaker, listener } = await openTwo()
    await speaker.say('Gitmeden')
    await allHear([listener], ['Gitmeden'])
    expect(await region('fra').signal('SIGTERM')).toBe(0)
    const said = await sayMany(speaker, 20, 'Yokken')
    await region('fra').start()
    const back = await Person.comesTo(region('fra'), listener.session, listener.line.cursor)
    expect(back.resumed).toBe(true)
    await allHear([back], said)
    expect(back.contents()).toEqual(speaker.contents().filter((content) => content !== 'Gitmeden'))
  })
})
