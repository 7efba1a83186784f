import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { directMediaCommands } from '../../model/conversations/media-commands.ts'
import { allowMedia } from './allow-media.ts'
import { createContactWatch } from './contact-watch.ts'
import { purgeDirectMessages } from './delete-conversation.ts'
import { createDirectTyping } from './direct-typing.ts'
import {
  endSession,
  getDirectMessages,
  markMessagesAsRead,
  notificationDMRead,
  sendDirectMessage,
  startSession,
} from './live-handlers.ts'
import { directMessageRoutes } from './routes.ts'

/** Conversations of two users. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { publisher, execute } = appContext
  const contactWatch = createContactWatch(appContext)
  return {
    handlers: {
      dmSessionStart: startSession(contactWatch),
      dmSessionEnd: endSession(contactWatch),
      sendDirectMessage,
      getDirectMessages,
      markMessagesAsRead,
      notificationDMRead,
      directTyping: createDirectTyping(publisher, peerBus),
      allowDirectMedia: ({ execute: submit }, { identity }, { userId, clientId }) =>
        submit(allowMedia, identity?.viewer ?? null, { otherUserId: userId }, { clientId }),
    },
    registerRoutes: (app) => directMessageRoutes(app, appContext),
    jobs: [purgeDirectMessages, directMediaCommands.deleteUnusedMedia].map((command) => ({
      intervalMs: MINUTE_MS,
      isPrimaryOnly: true,
      run: () => runInSteps(execute, command),
    })),
  }
}
