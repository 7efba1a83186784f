import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { deleteRemovedTexts } from './delete-removed-texts.ts'
import { handleConfirmWarning, handleRemoveMessage, handleRestoreMessage } from './live-handlers.ts'
import { sanctionRoutes } from './routes.ts'

/** Warnings, mutes and removal of single messages. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    handlers: {
      confirmWarning: handleConfirmWarning,
      removeMessage: handleRemoveMessage,
      restoreMessage: handleRestoreMessage,
    },
    registerRoutes: (app) => sanctionRoutes(app, appContext),
    jobs: [{ intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, deleteRemovedTexts) }],
  }
}
