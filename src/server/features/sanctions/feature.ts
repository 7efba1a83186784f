import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { Handshake, HelloPart } from '../../kernel/live/define-live-hooks.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { getOwnSanctions } from '../../model/moderation/queries.ts'
import { confirmWarning } from './confirm-warning.ts'
import { deleteRemovedTexts } from './delete-removed-texts.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'
import { sanctionRoutes } from './routes.ts'

const handleConfirmWarning: Handler<'confirmWarning'> = (appContext, { identity }, { warningId, clientId }) =>
  identity ? appContext.execute(confirmWarning, identity.viewer, { warningId }, { clientId }) : refuse('NotSignedIn')

const handleRemoveMessage: Handler<'removeMessage'> = (appContext, { identity }, { messageId, clientId }) =>
  identity ? appContext.execute(removeMessage, identity.viewer, { messageId }, { clientId }) : refuse('NotSignedIn')

const handleRestoreMessage: Handler<'restoreMessage'> = (appContext, { identity }, { messageId, clientId }) =>
  identity ? appContext.execute(restoreMessage, identity.viewer, { messageId }, { clientId }) : refuse('NotSignedIn')

/** Warnings, mutes and removal of single messages. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    handlers: {
      confirmWarning: handleConfirmWarning,
      removeMessage: handleRemoveMessage,
      restoreMessage: handleRestoreMessage,
    },
    live: { onHello: sendOwnSanctions },
    registerRoutes: (app) => sanctionRoutes(app, appContext),
    jobs: [{ intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, deleteRemovedTexts) }],
  }
}

/** Each new connection gets the open warnings and the mutes of its user. */
function sendOwnSanctions({ context, connection, reader, user }: Handshake): HelloPart {
  const sanctions = getOwnSanctions(reader, user.id, context.clock())
  if (!sanctions) return {}
  return { afterAnswer: () => context.publisher.enqueue(connection, encodeEphemeral('ownSanctions', sanctions)) }
}
