import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Execute } from '../database/define-write.ts'
import type { Feature, FeatureContext } from '../features.ts'
import { HOUR_MS, MINUTE_MS } from '../region-jobs.ts'
import { linkFileRoutes } from './link-file-routes.ts'
import { sweepFiles } from './sweep-files.ts'
import { uploadRoutes } from './upload-routes.ts'

/** Uploaded files: serves them, replicates them to every region and removes unreferenced ones. */
export function createFeature({ appContext, files }: FeatureContext): Feature {
  return {
    registerRoutes: (app) => uploadRoutes(app, appContext),
    registerRegionRoutes: (app) => app.route('/', linkFileRoutes(files, appContext.keys.files)),
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: () => void files.replicateAll() },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => sweepFileRows(appContext.execute) },
      { intervalMs: HOUR_MS, isPrimaryOnly: false, run: () => files.sweep() },
    ],
  }
}

/** Removes the rows of unreferenced files; each region then removes the files that have no row. */
async function sweepFileRows(execute: Execute): Promise<void> {
  let after: number | null = 0
  while (after !== null) {
    const step: { after: number | null } | Refusal = await execute(sweepFiles, null, { after })
    after = step instanceof Refusal ? null : step.after
  }
}
