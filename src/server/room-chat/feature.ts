import type { Feature, FeatureContext } from '../features.ts'
import { getMessages, searchMessages } from './history-handlers.ts'
import { createLiveHandlers } from './live-handlers.ts'
import { SearchIndexer } from './search-indexer.ts'
import { TypingIndicators } from './typing-indicators.ts'

/** Messages of rooms: sending, history, search, who is typing. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { publisher, presence, execute } = appContext
  const typing = new TypingIndicators(publisher, peerBus, (roomId, userId) => presence.isIn(roomId, userId))
  const searchIndexer = new SearchIndexer(execute)
  return {
    handlers: {
      ...createLiveHandlers(typing),
      // The specification has it; sendMessage tells those whom a message mentions.
      mentionNotification: () => ({ success: true }),
      getMessages,
      searchMessages,
    },
    onCommit: (events) => searchIndexer.onCommit(events),
    onPromoted: () => searchIndexer.schedule(),
    onStopping: () => searchIndexer.close(),
    close: () => typing.close(),
  }
}
