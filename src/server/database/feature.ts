import type { Feature, FeatureContext } from '../features.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { trimLog } from './events.ts'

/** Trims the event log every minute. */
export function createFeature({ appContext: { execute } }: FeatureContext): Feature {
  return { jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, trimLog) }] }
}
