import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { MINUTE_MS, runInSteps, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { FloodAlarm } from './flood-alarm.ts'
import { linkedAccountRoutes } from './linked-account-routes.ts'
import { textFilterRoutes } from './routes.ts'
import { trimFilterRecords } from './trim-filter-records.ts'

/** The word filter, the rule of links, alerts and linked accounts. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const floodAlarm = new FloodAlarm(appContext)
  return {
    onCommit: (events) => floodAlarm.onCommit(events),
    registerRoutes: (app) => {
      textFilterRoutes(app, appContext)
      linkedAccountRoutes(app, appContext)
    },
    jobs: [
      { intervalMs: 2 * SECOND_MS, isPrimaryOnly: true, run: () => floodAlarm.run() },
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, trimFilterRecords) },
    ],
  }
}
