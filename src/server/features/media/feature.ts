import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Execute } from '../../kernel/database/commands/define-command.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { authentication } from '../../kernel/http/authentication.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/operations/jobs.ts'
import { linkFileRoutes } from './link-file-routes.ts'
import { resumableUploadRoutes } from './resumable-upload-routes.ts'
import { sweepFiles } from './sweep-files.ts'
import { uploadRoutes } from './upload-routes.ts'

/** Uploaded files: serves them, replicates them to every region and removes unreferenced ones. */
export function createFeature({ appContext, files }: FeatureContext): Feature {
  removeUploadsOfEndedSessions(appContext)
  keepUploadsOfReplacedSessions(appContext)
  return {
    registerRoutes(app) {
      uploadRoutes(app, appContext)
      resumableUploadRoutes(app, appContext)
    },
    registerRegionRoutes: (app) => app.route('/', linkFileRoutes(files, appContext.keys.files)),
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: () => sweepUploads(appContext) },
      { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: () => void files.replicateAll() },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => sweepFileRows(appContext.execute) },
      { intervalMs: HOUR_MS, isPrimaryOnly: false, run: () => files.sweep() },
    ],
  }
}

/** Every end of a session sends `forceDisconnect` to that session. */
function removeUploadsOfEndedSessions({ publisher, uploads, log }: AppContext): void {
  publisher.on('forceDisconnect', ({ row: { audience } }) => {
    const sessionId = Number(/^session:(\d+)$/.exec(audience ?? '')?.[1])
    uploads.removeOfSession(sessionId).catch((error) => log.warn({ err: error }, 'cannot remove uploads'))
  })
}

/** A session keeps its uploads when it gets another id. */
function keepUploadsOfReplacedSessions({ publisher, uploads }: AppContext): void {
  publisher.on('sessionReplaced', ({ row: { audience }, payload }) => {
    uploads.moveToSession(Number(/^session:(\d+)$/.exec(audience ?? '')?.[1]), payload.sessionId)
  })
}

/** Sessions may also have ended while this region was stopped. */
function sweepUploads({ uploads, service, reader }: AppContext): Promise<void> {
  return uploads.sweep((owner) => service(authentication).findSessionUser(reader, owner) !== null)
}

/** Removes the rows of unreferenced files; each region then removes the files that have no row. */
async function sweepFileRows(execute: Execute): Promise<void> {
  let after: number | null = 0
  while (after !== null) {
    const step: { after: number | null } | Refusal = await execute(sweepFiles, null, { after })
    after = step instanceof Refusal ? null : step.after
  }
}
