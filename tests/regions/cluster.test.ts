import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { missing, open, type TestedCluster } from './open.ts'

/** A stand-in for the site, which writes rows where it may and reads them everywhere. */
const command = ['node', 'tests/regions/stand-in.ts']
const openStandIn = (options: TestedCluster = {}) => open({ command, ...options })

async function write({ plan }: Region, row: string): Promise<boolean> {
  const answer = await fetch(`${originOf(plan)}/rows`, { method: 'POST', body: row })
  await answer.arrayBuffer()
  return answer.ok
}

async function rows({ plan }: Region): Promise<string[]> {
  const answer = await fetch(`${originOf(plan)}/rows`)
  return answer.ok ? ((await answer.json()) as string[]) : [] // as stand-in.ts answers
}

const seen = (region: Region, row: string) =>
  until(`${row} in ${region.plan.name}`, async () => (await rows(region)).includes(row))

describe.skipIf(missing('litefs'))('regions on LiteFS with a static lease', () => {
  it('replicate what the primary writes, and write nowhere else', async () => {
    const { regions, region, primary } = await openStandIn()
    expect(await primary()).toBe('ist')
    expect(await write(region('ist'), 'one')).toBe(true)
    await Promise.all(regions.map((each) => seen(each, 'one')))
    expect(await write(region('fra'), 'two')).toBe(false)
    expect(await rows(region('ist'))).toEqual(['one'])
  })

  it('catch up after a cut, a slow link, and the death of either process', async () => {
    const { region, setFate, heal } = await openStandIn({ names: ['ist', 'fra'] })
    const [ist, fra] = [region('ist'), region('fra')]
    for (const fate of ['held', 'refused'] as const) {
      setFate('fra', fate)
      await write(ist, `while ${fate}`)
      expect(await rows(fra)).not.toContain(`while ${fate}`)
      heal()
      await seen(fra, `while ${fate}`)
    }
    setFate('fra', { passesAfterMs: 300 })
    const writtenAt = performance.now()
    await write(ist, 'slowly')
    await seen(fra, 'slowly')
    expect(performance.now() - writtenAt).toBeGreaterThan(300)
    heal()
    for (const which of ['site', 'litefs', 'both'] as const) {
      await fra.kill9(which)
      await fra.exited()
      await write(ist, `without ${which}`)
      await fra.start()
      await seen(fra, `without ${which}`)
    }
    expect(await fra.signal('SIGTERM')).toBe(0)
  })
})

describe.skipIf(missing('litefs', 'consul'))('regions on LiteFS with Consul', () => {
  it('hand the lease over when asked, and take it over from the dead', async () => {
    const cluster = await openStandIn({ names: ['ist', 'fra'], withConsul: true })
    const first = await until('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    await write(cluster.region(first), 'by the first')
    await seen(cluster.region(second), 'by the first')
    await cluster.promote(second)
    await until('the second writes', () => write(cluster.region(second), 'by the second'))
    await seen(cluster.region(first), 'by the second')
    await cluster.region(second).kill9('both')
    await until('the first is the primary again', async () => (await cluster.primary()) === first, 25_000)
    await until('the first writes', () => write(cluster.region(first), 'by the first again'))
    expect(await rows(cluster.region(first))).toEqual(['by the first', 'by the second', 'by the first again'])
  })
})
