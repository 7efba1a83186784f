import { ensureLitefs } from '../../scripts/regions/find-litefs.ts'
import { planRegions } from '../../scripts/regions/plan-regions.ts'
import { findProcessesByEnv } from '../../scripts/regions/processes.ts'
import { databaseOf, mountOf, originOf, type RegionPlan } from '../../scripts/regions/region-plan.ts'
import { createRegionProcess } from '../../scripts/regions/region-process.ts'
import { makeRegionsFolder, removeRegionsFolder } from '../../scripts/regions/regions-folder.ts'
import { readProcessStat } from '../measure/process-stat.ts'
import { RunningMeydan } from './meydan.ts'
import type { MeasuredServer } from './subject.ts'

/** A site on LiteFS in several regions on this machine; the first region is the primary. */
export interface MeydanCluster {
  plans: RegionPlan[]
  /** One per region; stopping one stops all. */
  sites: RunningMeydan[]
}

/** Throws when LiteFS is not available or cannot mount. */
export async function startMeydanCluster(names: string[]): Promise<MeydanCluster> {
  const litefs = ensureLitefs()
  if ('missing' in litefs) throw new Error(litefs.missing)
  const folder = makeRegionsFolder()
  const env = { MEYDAN_LIMIT_SCALE: '1000000', MEYDAN_LOG: 'warn', NODE_ENV: 'production' }
  const plans = await planRegions({ folder, names, env })
  const regions = plans.map((plan) => createRegionProcess(plan, litefs.path))
  const stop = async () => {
    await Promise.all(regions.map((region) => region.stop()))
    await removeRegionsFolder(folder)
  }
  try {
    await Promise.all(regions.map((region) => region.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const sites = plans.map((plan) => new RunningMeydan(folder, toMeasuredServer(plan, stop), databaseOf(plan)))
  return { plans, sites }
}

function toMeasuredServer(plan: RegionPlan, stop: () => Promise<void>): MeasuredServer {
  return {
    origin: originOf(plan),
    port: plan.sitePort,
    cpuSeconds: async () => readServerStat(plan).cpuSeconds,
    residentBytes: async () => readServerStat(plan).residentBytes,
    stop,
  }
}

/** Reads /proc of the site, which is a child process of LiteFS. */
function readServerStat(plan: RegionPlan) {
  const processes = findProcessesByEnv('LITEFS_MOUNT', mountOf(plan))
  const site = processes.find(({ parent }) => processes.some(({ pid }) => pid === parent))
  if (!site) throw new Error('the site of a region has ended')
  return readProcessStat(site.pid)
}

/** Streams the transaction events of LiteFS in a region with their arrival time. Returns a function that stops it. */
export async function streamLitefsTransactions(
  plan: RegionPlan,
  onTransaction: (txid: string, at: number) => void,
): Promise<() => void> {
  const ending = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${plan.litefsPort}/events`, { signal: ending.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let rest = ''; ; ) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { type, data } = JSON.parse(line) as { type: string; data: { txID?: string } } // decision 0008
        if (type === 'tx' && data.txID) onTransaction(data.txID, performance.now())
      }
    }
  }
  read().catch(() => {}) // it ends with an AbortError
  return () => ending.abort()
}
