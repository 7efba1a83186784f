import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Execute } from './database/commands/define-command.ts'
import type { Reader } from './database/read.ts'
import type { ReadInWorker } from './database/read-worker-client.ts'
import type { FindService } from './feature-services.ts'
import type { Files } from './files/file-store.ts'
import type { PictureProcessor } from './files/picture-processor.ts'
import type { ResumableUploads } from './files/resumable-uploads.ts'
import type { Keys } from './keys.ts'
import type { PersonLimiters } from './limits/person-limiters.ts'
import type { LiveHooks } from './live/define-live-hooks.ts'
import type { Handlers } from './live/handler.ts'
import type { Publisher } from './live/publisher.ts'
import type { DiskWatch } from './operations/disk-watch.ts'
import type { Metrics } from './operations/metrics.ts'
import type { DuplicateConnections } from './presence/duplicate-connections.ts'
import type { Presence } from './presence/presence.ts'
import type { ReplicationStatus } from './regions/replication/replication-status.ts'

/** What every handler of a region may use. Built once, in region-services.ts. */
export interface AppContext {
  config: Config
  log: Logger
  metrics: Metrics
  keys: Keys
  /** Read-only access on the main thread. */
  reader: Reader
  /** Runs reads that can take more than 2 ms in the read worker. */
  readInWorker: ReadInWorker
  /** Runs a write command on the writer of the primary, in this or another region. */
  execute: Execute
  publisher: Publisher
  /** Handlers of all live commands. A function, because features are created after the context. */
  handlers: () => Handlers
  /** What features offer to the core and to each other; complete once all features are created. */
  service: FindService
  /** What the features do in handshakes and replays. A function, because features are created after the context. */
  liveHooks: () => readonly LiveHooks[]
  /** Rate limits that commands and routes declare. */
  personLimiters: PersonLimiters
  presence: Presence
  duplicates: DuplicateConnections
  /** Role, readiness and replication lag of this region. */
  replicationStatus: ReplicationStatus
  files: Files
  /** Uploads that go on after a cut, until a feature stores their file. */
  uploads: ResumableUploads
  pictures: PictureProcessor
  /** How full the disk of this region is. */
  disk: DiskWatch
  /** The cluster's clock, in epoch milliseconds. */
  clock: () => number
  /** Milliseconds of a clock that is never set, for durations. */
  monotonicNow: () => number
  /** True once the region shuts down; new commands and requests are refused. */
  isStopping: () => boolean
}
