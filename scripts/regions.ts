import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '../src/server/kernel/operations/logging.ts'
import { ensureBuild } from '../src/server/kernel/render/build.ts'
import { ensureLitefs } from './regions/find-litefs.ts'
import { planRegions } from './regions/plan-regions.ts'
import { originOf } from './regions/region-plan.ts'
import { createRegionProcess, type RegionProcess } from './regions/region-process.ts'
import { makeRegionsFolder, removeRegionsFolder, removeStaleFolders } from './regions/regions-folder.ts'

/**
 * `npm run regions -- 3`: runs a site in that many regions on this machine, the first as primary, until a signal.
 * A command after the number runs in each region instead of the site.
 */

const REGION_NAMES = ['ist', 'fra', 'sin', 'iad', 'gru', 'syd', 'jnb', 'nrt']
const RESTART_DELAY_MS = 1_000

async function main([count = '3', ...command]: string[]): Promise<void> {
  const chosen = REGION_NAMES.slice(0, Number(count))
  if (!/^\d+$/.test(count) || chosen.length !== Number(count) || chosen.length === 0)
    throw new Error(`How many regions? From 1 to ${REGION_NAMES.length}.`)
  const litefs = ensureLitefs()
  if ('missing' in litefs) throw new Error(`There are no regions here: ${litefs.missing}.`)
  await removeStaleFolders()
  if (command.length === 0) await ensureBuild(createLog({ logLevel: 'warn' }))

  const folder = makeRegionsFolder()
  const plans = await planRegions({ folder, names: chosen, ...(command.length > 0 && { command }) })
  const regions = plans.map((plan) => createRegionProcess(plan, litefs.path))
  const ending = endOnSignal(regions, folder)
  try {
    await Promise.all(regions.map((region) => region.start()))
  } catch (error) {
    if (!ending.aborted) console.error(error)
    return process.exit(await stopAll(regions, folder, 1))
  }
  for (const region of regions) void keepRunning(region, ending)
  console.error(`Their logs are in ${folder}.`)
  console.log(JSON.stringify({ origins: plans.map(originOf) }))
}

/** Restarts a region that has ended, as a container runtime does. */
async function keepRunning(region: RegionProcess, ending: AbortSignal): Promise<void> {
  for (;;) {
    await region.waitForExit()
    await pause(RESTART_DELAY_MS)
    if (ending.aborted) return
    console.error(`${region.plan.name} ended: starting it again.`)
    await region.start().catch((error: Error) => console.error(error.message))
  }
}

function endOnSignal(regions: RegionProcess[], folder: string): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, async () => {
      if (ending.signal.aborted) return
      ending.abort()
      process.exit(await stopAll(regions, folder, 0))
    })
  return ending.signal
}

async function stopAll(regions: RegionProcess[], folder: string, exitCode: number): Promise<number> {
  await Promise.all(regions.map((region) => region.stop()))
  await removeRegionsFolder(folder)
  return exitCode
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
