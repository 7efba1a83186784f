import type { Logger } from 'pino'
import type { Keys } from './accounts/keys.ts'
import type { Execute } from './database/execute.ts'
import type { Reader } from './database/read.ts'
import type { ReadSlowly } from './database/slow-read-door.ts'
import type { Limiter } from './http/limits.ts'
import type { Duplicates } from './live/duplicates.ts'
import type { Publisher } from './live/publish.ts'
import type { Files } from './media/files.ts'
import type { Pictures } from './media/pictures.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Presence } from './presence/presence.ts'
import type { Footing } from './regions/footing.ts'
import type { Typing } from './room-chat/typing.ts'
import type { Settings } from './settings.ts'

/** What every part of a region's process may use. Built once, in region.ts. */
export interface World {
  settings: Settings
  log: Logger
  metrics: Metrics
  keys: Keys
  /** The read door. */
  read: Reader
  /** The read door for what can take more than two milliseconds. */
  readSlowly: ReadSlowly
  /** The write door. */
  execute: Execute
  publisher: Publisher
  /** Bounds, by user id, what takes milliseconds to read: the messages of a room that is entered or scrolled up, events to replay. */
  snapshots: Limiter
  /** Bounds, by user id, the searches of a room's messages. */
  searches: Limiter
  /** Bounds, by user id, what people change of themselves: their profile, and whom they let come near. */
  ownChanges: Limiter
  presence: Presence
  typing: Typing
  duplicates: Duplicates
  /** What this region stands on: alone, or one of several. */
  footing: Footing
  files: Files
  pictures: Pictures
  /** The site's one clock, in epoch milliseconds. */
  clock: () => number
  /** True from the moment that the region goes down: new work is refused. */
  stopping: () => boolean
}
