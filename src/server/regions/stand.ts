import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { Logger } from 'pino'
import type { Keys } from '../accounts/keys.ts'
import { Reigns } from '../database/committed.ts'
import { type LoggedEvent, lastUsedSeq } from '../database/events.ts'
import { loadMigrations, type NumberedMigration } from '../database/migrate.ts'
import type { Reader } from '../database/read.ts'
import type { WriteDoor } from '../database/write-door.ts'
import type { Metrics } from '../operations/metrics.ts'
import type { LiteFsSettings, Settings } from '../settings.ts'
import { AmongRegions } from './among.ts'
import { aloneOnBus, type Bus } from './bus.ts'
import { CaughtUp } from './caught-up.ts'
import type { FollowLog } from './follow-log.ts'
import type { Footing } from './footing.ts'
import { Freshness } from './freshness.ts'
import type { Ground } from './ground.ts'
import { createDialler } from './link-dialler.ts'
import { createHub, type Hub } from './link-hub.ts'
import type { LiteFs } from './litefs.ts'
import { createLocalPosition } from './local-position.ts'
import { createNeighbours } from './neighbours.ts'
import type { Position } from './position.ts'
import { waitForDatabase, watchMigrations } from './schema-wait.ts'
import type { Road } from './send-on.ts'
import { createSiteClock } from './site-clock.ts'

/** Where a region stands: alone, or among others. */
export interface Stand {
  footing: Footing
  bus: Bus
  /** The site's clock, in epoch milliseconds. */
  clock: () => number
  /** The way to the writer as it is now. */
  road: () => Road | null
  /** Where the sites of other regions are, as far as they are known. */
  others: () => string[]
  hub: Hub | null
  caughtUp: CaughtUp
  /** Regions that are linked to this one. */
  links: () => number
  /** This region's writer has committed: tells everyone here, in log order. */
  wrote(events: LoggedEvent[], position: Position): void
  /** Takes the place that this region has now; the first commands can be carried out afterwards. */
  start(): Promise<void>
  /** Gives the lease to another region, if this one has it and another wants it. */
  handOver(): Promise<void>
  close(): void
}

/** The first look at a database: it is there and migrated, and by whom it may be written. */
export interface Entry {
  litefs: LiteFs | null
  migrations: NumberedMigration[]
  /** Where the database began a reign because this region was to make it; null where it was there. */
  made: Position | null
}

/** Waits until there is a database for this code, and makes it where that is this region's part. Throws a DatabaseError. */
export async function enter(settings: Settings, ground: Ground, door: WriteDoor, signal: AbortSignal): Promise<Entry> {
  const migrations = await loadMigrations()
  if (!settings.litefs) {
    await door.open({ clockOffsetMs: 0 })
    return { litefs: null, migrations, made: null }
  }
  const litefs = await ground.litefs()
  const { databaseFile } = settings
  while ((await waitForDatabase({ litefs, databaseFile, migrations, signal })) === 'lead') {
    const made = await door.open({ clockOffsetMs: 0 })
    await door.shut()
    if (made !== 'lost') return { litefs, migrations, made }
    await new Promise((resolve) => setTimeout(resolve, LOST_MS))
  }
  return { litefs, migrations, made: null }
}

/** Before another try where the lease went just when the database was to be made. */
const LOST_MS = 100

export interface StandOptions extends Entry {
  settings: Settings
  ground: Ground
  keys: Keys
  log: Logger
  metrics: Metrics
  door: WriteDoor
  read: Reader
  connection: Sqlite.Database
  followLog: FollowLog
  onRoad: () => void
  onTransaction: () => void
  /** This region is about to lead, and may fetch what it lacks. */
  onTakeOver: () => Promise<unknown>
  /** This region leads from now on. */
  onLead: () => Promise<void>
}

/** Alone where there is no LiteFS, else among others. */
export function standOn(options: StandOptions): Stand {
  const { litefs, settings } = options
  return litefs && settings.litefs ? standAmong(options, litefs, settings.litefs) : standAlone(options)
}

/** One file in one place: its own primary, always up to date. */
function standAlone({ settings: { region }, ground, door, read, followLog, onLead }: StandOptions): Stand {
  const position = (): Position => ({ txid: '', seq: lastUsedSeq(read) })
  const road: Road = { isHere: true, carry: (order) => door.carryOut(order) }
  return {
    footing: {
      role: () => 'primary',
      primary: () => region,
      position,
      lagMs: () => 0,
      isFresh: () => Promise.resolve(true),
      notReady: () => null,
    },
    bus: aloneOnBus(region),
    clock: ground.clock,
    road: () => road,
    others: () => [],
    hub: null,
    caughtUp: new CaughtUp(position),
    links: () => 0,
    wrote: (events) => followLog.tell(events),
    start: onLead,
    handOver: () => Promise.resolve(),
    close: () => {},
  }
}

function standAmong(options: StandOptions, litefs: LiteFs, { linkUrl: url, isCandidate }: LiteFsSettings): Stand {
  const { settings, ground, keys, log, metrics, door, read, connection, migrations, followLog } = options
  const { region } = settings
  const clock = createSiteClock(ground.clock)
  const local = createLocalPosition(read, litefs)
  const self = { region, url, code: migrations.length, key: keys.link, log }
  const hub = createHub({ ...self, clock: clock.now, position: local })
  const dialler = createDialler({ ...self, isCandidate, connect: ground.dial, clock })
  const neighbours = createNeighbours({ region, hub, dialler, log })
  const caughtUp = new CaughtUp(local)
  const reigns = new Reigns({ file: join(settings.dataFolder, 'reigns'), log, onLost: metrics.eventsLost })
  if (options.made) reigns.begin(read, options.made)
  const checkMigrations = watchMigrations(connection, migrations)
  const among = new AmongRegions({
    region,
    litefs,
    door,
    hub,
    dialler,
    clock,
    followLog,
    caughtUp,
    freshness: new Freshness(),
    reigns,
    read,
    local,
    log,
    onRoad: options.onRoad,
    onLead: options.onLead,
    onTransaction: () => {
      checkMigrations()
      options.onTransaction()
    },
    onTakeOver: options.onTakeOver,
    onUnconfirmed: metrics.answeredUnconfirmed,
    onFatal: (error) => queueMicrotask(() => throwOutside(error)),
  })
  return {
    footing: among,
    bus: neighbours,
    clock: clock.now,
    road: () => among.road(),
    others: () => among.siteUrls(),
    links: () => among.siteUrls().length,
    hub,
    caughtUp,
    wrote: (events, position) => {
      reigns.committed(position)
      followLog.tell(events)
    },
    start: () => among.settle(),
    handOver: () => among.handOver(),
    close: () => {
      neighbours.close()
      among.close()
      reigns.close()
    },
  }
}

/** The process is to end of it, whoever waits. */
function throwOutside(error: unknown): never {
  throw error
}
