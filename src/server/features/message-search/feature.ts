import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { createSearchHandlers } from './search-handlers.ts'
import { SearchIndexer } from './search-indexer.ts'
import { SearchQueue } from './search-queue.ts'

/** The search of messages, in rooms and in direct conversations. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const indexer = new SearchIndexer(appContext.execute)
  return {
    handlers: createSearchHandlers(new SearchQueue()),
    onCommit: (events) => indexer.onCommit(events),
    onPromoted: () => indexer.indexBacklog(),
    onStopping: () => indexer.close(),
  }
}
