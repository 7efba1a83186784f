// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { findMissingTool, openTestCluster, type TestClusterOptions } from './test-cluster.ts'

/** LiteFS starts the probe app instead of the site. */
const command = ['node', 'tests/regions/litefs-probe-app.ts']
const openProbeCluster = (options: TestClusterOptions = {}) => openTestCluster({ command, ...options })

async function writeRow({ plan }: RegionProcess, row: string): Promise<boolean> {
  const answer = await fetch(`${originOf(plan)}/rows`, { method: 'POST', body: row })
  await answer.arrayBuffer()
  return answer.ok
}

async function readRows({ plan }: RegionProcess): Promise<string[]> {
  const answer = await fetch(`${originOf(plan)}/rows`)
  return answer.ok ? ((await answer.json()) as string[]) : [] // as litefs-probe-app.ts answers
}

const waitForRow = (region: RegionProcess, row: string) =>
  pollUntil(`${row} in ${region.plan.name}`, async () => (await readRows(region)).includes(row))

describe.skipIf(findMissingTool('litefs'))('regions on LiteFS with a static lease', () => {
  it('replicates the rows of the primary and refuses writes on replicas', async () => {
    const { regions, region, primary } = await openProbeCluster()
    expect(await primary()).toBe('ist')
    expect(await writeRow(region('ist'), 'one')).toBe(true)
    await Promise.all(regions.map((each) => waitForRow(each, 'one')))
    expect(await writeRow(region('fra'), 'two')).toBe(false)
    expect(await readRows(region('ist'))).toEqual(['one'])
  })

  it('catches up after a cut, on a slow link, and after either process is killed', async () => {
    const { region, setCondition, resetConditions } = await openProbeCluster({ names: ['ist', 'fra'] })
    const [ist, fra] = [region('ist'), region('fra')]
    for (const condition of ['stalled', 'refused'] as const) {
      setCondition('fra', condition)
      await writeRow(ist, `while ${condition}`)
      expect(await readRows(fra)).not.toContain(`while ${condition}`)
      resetConditions()
      await waitForRow(fra, `while ${condition}`)
    }
    setCondition('fra', { passesAfterMs: 300 })
    const writtenAt = performance.now()
    await writeRow(ist, 'slowly')
    await waitForRow(fra, 'slowly')
    expect(performance.now() - writtenAt).toBeGreaterThan(300)
    resetConditions()
    for (const which of ['site', 'litefs', 'both'] as const) {
      await fra.kill9(which)
      await fra.waitForExit()
      await writeRow(ist, `without ${which}`)
      await fra.start()
      await waitForRow(fra, `without ${which}`)
    }
    expect(await fra.signal('SIGTERM')).toBe(0)
  })
})

describe.skipIf(findMissingTool('litefs', 'consul'))('regions on LiteFS with Consul', () => {
  it('hands the lease over on request and replaces a killed primary', async () => {
    const cluster = await openProbeCluster({ names: ['ist', 'fra'], withConsul: true })
    const first = await pollUntil('a primary', cluster.primary)
    const second = first === 'ist' ? 'fra' : 'ist'
    await writeRow(cluster.region(first), 'by the first')
    await waitForRow(cluster.region(second), 'by the first')
    await cluster.promote(second)
    await pollUntil('the second writes', () => writeRow(cluster.region(second), 'by the second'))
    await waitForRow(cluster.region(first), 'by the second')
    await cluster.region(second).kill9('both')
    await pollUntil('the first is the primary again', async () => (await cluster.primary()) === first, 25_000)
    await pollUntil('the first writes', () => writeRow(cluster.region(first), 'by the first again'))
    expect(await readRows(cluster.region(first))).toEqual(['by the first', 'by the second', 'by the first again'])
  })
})
