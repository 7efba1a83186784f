import type { Feature, FeatureContext } from '../feature.ts'
import { MINUTE_MS, runInSteps } from '../operations/jobs.ts'
import { trimLog } from './trim-log.ts'

/** Trims the event log every minute. */
export function createFeature({ appContext: { execute } }: FeatureContext): Feature {
  return { jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, trimLog) }] }
}
