import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { Logger } from 'pino'
import { type LoggedEvent, lastUsedSeq } from '../database/events.ts'
import { loadMigrations, type NumberedMigration } from '../database/migrate.ts'
import type { Reader } from '../database/read.ts'
import type { WriterClient } from '../database/writer-client.ts'
import type { Metrics } from '../operations/metrics.ts'
import type { LiteFsSettings, Settings } from '../settings.ts'
import { ClusterMember } from './cluster-member.ts'
import type { WriteRoute } from './command-router.ts'
import { createLinkClient } from './link/link-client.ts'
import { createLinkServer, type LinkAcceptor } from './link/link-server.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import { createEmptyPeerBus, type PeerBus } from './peer-bus.ts'
import type { RegionPlatform } from './platform.ts'
import { createMigrationCheck, waitForDatabase } from './replication/await-migrations.ts'
import { createClusterClock } from './replication/cluster-clock.ts'
import { createLocalPositionReader } from './replication/local-position.ts'
import type { LogTailer } from './replication/log-tailer.ts'
import type { Position } from './replication/position.ts'
import { PositionWaiter } from './replication/position-waiter.ts'
import { TermLedger } from './replication/primary-terms.ts'
import { ReplicationLag } from './replication/replication-lag.ts'
import type { ReplicationStatus } from './replication/replication-status.ts'
import { createStarPeerBus } from './star-peer-bus.ts'

/** Where a region stands: alone, or among others. */
export interface Topology {
  replicationStatus: ReplicationStatus
  peerBus: PeerBus
  /** The site's clock, in epoch milliseconds. */
  clock: () => number
  /** The way to the writer as it is now. */
  writeRoute: () => WriteRoute | null
  /** Where the sites of other regions are, as far as they are known. */
  peerSiteUrls: () => string[]
  linkServer: LinkAcceptor | null
  positionWaiter: PositionWaiter
  /** This region's writer has committed: tells everyone here, in log order. */
  publishCommit(events: LoggedEvent[], position: Position): void
  /** Takes the place that this region has now; the first commands can be carried out afterwards. */
  start(listeners: TopologyListeners): Promise<void>
  /** Gives the lease to another region, if this one has it and another wants it. */
  handOver(): Promise<void>
  close(): void
}

/** What other services do when the topology changes; called from `start` on. */
export interface TopologyListeners {
  /** There may be another route to the writer, or none. */
  onWriteRouteChange: () => void
  /** A transaction became visible in this region. */
  onTransaction: () => void
  /** This region is about to take the lease over, and may fetch missing files first; bounded in time. */
  onBeforePromotion: () => Promise<unknown>
  /** This region is the primary from now on. */
  onPromoted: () => Promise<void>
}

/** The first look at a database: it is there and migrated, and by whom it may be written. */
export interface OpenedDatabase {
  litefs: LiteFsClient | null
  migrations: NumberedMigration[]
  /** Where the database began a reign because this region was to make it; null where it was there. */
  initialPosition: Position | null
}

/** Waits until there is a database for this code, and makes it where that is this region's part. Throws a DatabaseError. */
export async function openOrAwaitDatabase(
  settings: Settings,
  ground: RegionPlatform,
  door: WriterClient,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  const migrations = await loadMigrations()
  if (!settings.litefs) {
    await door.openDatabase({ clockOffsetMs: 0 })
    return { litefs: null, migrations, initialPosition: null }
  }
  const litefs = await ground.openLiteFs()
  const { databaseFile } = settings
  while ((await waitForDatabase({ litefs, databaseFile, migrations, signal })) === 'primary') {
    const made = await door.openDatabase({ clockOffsetMs: 0 })
    await door.closeDatabase()
    if (made !== 'leaseLost') return { litefs, migrations, initialPosition: made }
    await new Promise((resolve) => setTimeout(resolve, REOPEN_DELAY_MS))
  }
  return { litefs, migrations, initialPosition: null }
}

/** Before another try where the lease went just when the database was to be made. */
const REOPEN_DELAY_MS = 100

export interface TopologyOptions extends OpenedDatabase {
  settings: Settings
  platform: RegionPlatform
  linkKey: KeyObject
  log: Logger
  metrics: Metrics
  writer: WriterClient
  reader: Reader
  db: Sqlite.Database
  logTailer: LogTailer
}

/** Alone where there is no LiteFS, else among others. */
export function createTopology(options: TopologyOptions): Topology {
  const { litefs, settings } = options
  return litefs && settings.litefs
    ? createClusterTopology(options, litefs, settings.litefs)
    : createSingleNodeTopology(options)
}

/** One file in one place: its own primary, always up to date. */
function createSingleNodeTopology({
  settings: { region },
  platform,
  writer,
  reader,
  logTailer,
}: TopologyOptions): Topology {
  const position = (): Position => ({ txid: '', seq: lastUsedSeq(reader) })
  const road: WriteRoute = { isLocal: true, submit: (order) => writer.submit(order) }
  return {
    replicationStatus: {
      role: () => 'primary',
      primaryRegion: () => region,
      position,
      lagMs: () => 0,
      waitUntilFresh: () => Promise.resolve(true),
      notReadyReason: () => null,
    },
    peerBus: createEmptyPeerBus(region),
    clock: platform.clock,
    writeRoute: () => road,
    peerSiteUrls: () => [],
    linkServer: null,
    positionWaiter: new PositionWaiter(position),
    publishCommit: (events) => logTailer.publishCommitted(events),
    start: ({ onPromoted }) => onPromoted(),
    handOver: () => Promise.resolve(),
    close: () => {},
  }
}

function createClusterTopology(
  options: TopologyOptions,
  litefs: LiteFsClient,
  { linkUrl: url, isCandidate }: LiteFsSettings,
): Topology {
  const { settings, platform, linkKey, log, metrics, writer, reader, db, migrations, logTailer } = options
  const { region } = settings
  const clock = createClusterClock(platform.clock)
  const local = createLocalPositionReader(reader, litefs)
  const self = { region, url, code: migrations.length, key: linkKey, log }
  const hub = createLinkServer({ ...self, clock: clock.now, position: local })
  const dialler = createLinkClient({ ...self, isCandidate, openSocket: platform.openLinkSocket, clock })
  const neighbours = createStarPeerBus({ region, linkServer: hub, linkClient: dialler, log })
  const caughtUp = new PositionWaiter(local)
  const reigns = new TermLedger({
    file: join(settings.dataFolder, 'reigns'),
    log,
    onEventsLost: metrics.recordLostEvents,
  })
  if (options.initialPosition) reigns.beginTerm(reader, options.initialPosition)
  const among = new ClusterMember({
    region,
    litefs,
    writer: writer,
    linkServer: hub,
    linkClient: dialler,
    clock,
    logTailer: logTailer,
    positionWaiter: caughtUp,
    replicationLag: new ReplicationLag(),
    termLedger: reigns,
    reader: reader,
    localPosition: local,
    log,
    checkMigrations: createMigrationCheck(db, migrations),
    onUnacknowledged: metrics.recordUnacknowledgedAnswer,
    onFatal: (error) => queueMicrotask(() => throwUncaught(error)),
  })
  return {
    replicationStatus: among,
    peerBus: neighbours,
    clock: clock.now,
    writeRoute: () => among.writeRoute(),
    peerSiteUrls: () => among.siteUrls(),
    linkServer: hub,
    positionWaiter: caughtUp,
    publishCommit: (events, position) => {
      reigns.recordCommit(position)
      logTailer.publishCommitted(events)
    },
    start: (listeners) => among.start(listeners),
    handOver: () => among.handOver(),
    close: () => {
      neighbours.close()
      among.close()
      reigns.close()
    },
  }
}

/** The process is to end of it, whoever waits. */
function throwUncaught(error: unknown): never {
  throw error
}
