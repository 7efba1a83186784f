import { mountOf } from '../scripts/regions/region-plan.ts'
import type { Report } from './measure/report.ts'
import { measureSending } from './send.ts'
import { startMeydanCluster } from './subjects/meydan-regions.ts'

/** Room messages persisted and answered on a LiteFS mount, against bare loops on databases of the same mount. */
export async function measure(): Promise<Report> {
  const { plans, sites } = await startMeydanCluster(['ist'])
  const [plan] = plans
  const [site] = sites
  if (!plan || !site) throw new Error('startMeydanCluster returned no region')
  return measureSending(site, { loops: mountOf(plan), disk: plan.folder }, { batched: 0.7, single: 12 })
}
