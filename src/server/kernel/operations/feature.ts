import { trimLog } from '../database/events/trim-log.ts'
import type { Feature, FeatureContext } from '../feature.ts'
import { MINUTE_MS, runInSteps } from './jobs.ts'

/** Trims the event log every minute. */
export function createFeature({ appContext: { execute } }: FeatureContext): Feature {
  return { jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, trimLog) }] }
}
