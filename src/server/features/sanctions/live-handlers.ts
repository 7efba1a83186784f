import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { confirmWarning } from './confirm-warning.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'

export const handleConfirmWarning: Handler<'confirmWarning'> = (appContext, { identity }, { warningId, clientId }) =>
  identity ? appContext.execute(confirmWarning, identity.viewer, { warningId }, { clientId }) : refuse('NotSignedIn')

export const handleRemoveMessage: Handler<'removeMessage'> = (appContext, { identity }, { messageId, clientId }) =>
  identity ? appContext.execute(removeMessage, identity.viewer, { messageId }, { clientId }) : refuse('NotSignedIn')

export const handleRestoreMessage: Handler<'restoreMessage'> = (appContext, { identity }, { messageId, clientId }) =>
  identity ? appContext.execute(restoreMessage, identity.viewer, { messageId }, { clientId }) : refuse('NotSignedIn')
