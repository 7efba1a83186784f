import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { HOUR_MS, MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { isAboutRemovedMessage } from '../../model/room-chat/queries.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { createSearchHandler, getMessages } from './history-handlers.ts'
import { createLiveHandlers } from './live-handlers.ts'
import { roomChatRoutes } from './routes.ts'
import { SearchIndexer } from './search-indexer.ts'
import { SearchQueue } from './search-queue.ts'
import { trimLargeRooms } from './trim-large-rooms.ts'
import { trimMessages } from './trim-messages.ts'
import { TypingIndicators } from './typing-indicators.ts'

/** Room messages: sending, history, search, typing indicators. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { publisher, presence, execute, settings } = appContext
  const { roomMessagesKeptMs: keptMs, roomMessagesMaxBytes } = settings
  const typing = new TypingIndicators(publisher, peerBus, presence)
  const searchIndexer = new SearchIndexer(execute)
  return {
    handlers: {
      ...createLiveHandlers(typing),
      // Required by the specification, but without effect: sendMessage notifies the mentioned users.
      mentionNotification: () => ({ success: true }),
      getMessages,
      searchMessages: createSearchHandler(new SearchQueue()),
    },
    live: { isObsolete: isAboutRemovedMessage },
    registerRoutes: (app) => roomChatRoutes(app, appContext),
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, deleteUnusedMedia) },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(execute, trimMessages, { keptMs }) },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => trimLargeRooms(appContext, roomMessagesMaxBytes) },
    ],
    onCommit: (events) => searchIndexer.onCommit(events),
    onPromoted: () => searchIndexer.indexBacklog(),
    onStopping: () => searchIndexer.close(),
    close: () => typing.close(),
  }
}
