import { Gauge } from 'prom-client'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { DiskLevel } from '../../kernel/operations/disk-watch.ts'
import { SECOND_MS } from '../../kernel/operations/jobs.ts'
import { reportDiskLevel } from './report-disk-level.ts'

/** Measures the disk of this region, and tells root admins what is refused while it is nearly full. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { disk, metrics } = appContext
  const gauge = new Gauge({
    name: 'meydan_disk_used_ratio',
    help: 'The share of the data disk that is in use, 0 to 1.',
    registers: [],
    collect() {
      this.set(disk.usedRatio)
    },
  })
  metrics.register([gauge])
  let notifiedLevel: DiskLevel = 'normal'
  const run = async (): Promise<void> => {
    notifiedLevel = await watchDisk(appContext, notifiedLevel)
  }
  return { jobs: [{ intervalMs: 10 * SECOND_MS, isPrimaryOnly: false, run }] }
}

/** Resolves with the level that root admins know: what could not be reported is reported by the next run. */
async function watchDisk({ disk, config, log, execute }: AppContext, notifiedLevel: DiskLevel): Promise<DiskLevel> {
  await disk.measure().catch((error: unknown) => log.warn({ err: error }, 'cannot read how full the disk is'))
  const { level, usedRatio } = disk
  if (level === notifiedLevel) return notifiedLevel
  const percent = Math.floor(usedRatio * 100)
  log.warn({ level, percent }, 'the disk has reached another level')
  const { region, litefs } = config
  const reported = await execute(reportDiskLevel, null, { region, isNamed: litefs !== null, level, percent })
  return reported instanceof Refusal ? notifiedLevel : level
}
