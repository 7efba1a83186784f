import type { Logger } from 'pino'
import type { Keys } from './accounts/tokens/keys.ts'
import type { Execute } from './database/define-write.ts'
import type { Reader } from './database/read.ts'
import type { ReadInWorker } from './database/read-worker-client.ts'
import type { PersonLimiters } from './limits/person-limiters.ts'
import type { DuplicateConnections } from './live/duplicate-connections.ts'
import type { Handlers } from './live/handler.ts'
import type { Publisher } from './live/publisher.ts'
import type { Files } from './media/file-store.ts'
import type { PictureProcessor } from './media/picture-processor.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Presence } from './presence/presence.ts'
import type { ReplicationStatus } from './regions/replication/replication-status.ts'
import type { Settings } from './settings.ts'

/** What every part of a region's process may use. Built once, in region.ts. */
export interface AppContext {
  settings: Settings
  log: Logger
  metrics: Metrics
  keys: Keys
  /** The read door. */
  reader: Reader
  /** The read door for what can take more than two milliseconds. */
  readInWorker: ReadInWorker
  /** The write door. */
  execute: Execute
  publisher: Publisher
  /** Of the live protocol's commands, from all features. */
  handlers: () => Handlers
  /** The limits that commands and routes declare. */
  personLimiters: PersonLimiters
  presence: Presence
  duplicates: DuplicateConnections
  /** What this region stands on: alone, or one of several. */
  replicationStatus: ReplicationStatus
  files: Files
  pictures: PictureProcessor
  /** The site's one clock, in epoch milliseconds. */
  clock: () => number
  /** True from the moment that the region goes down: new work is refused. */
  isStopping: () => boolean
}
