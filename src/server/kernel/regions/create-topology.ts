import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { Logger } from 'pino'
import type { Config, LiteFsConfig } from '../config.ts'
import type { CommandRegistry } from '../database/commands/command-registry.ts'
import { lastUsedSeq } from '../database/events/events.ts'
import { loadMigrations, type NumberedMigration } from '../database/migrate.ts'
import type { Position } from '../database/position.ts'
import type { Reader } from '../database/read.ts'
import type { WriterClient } from '../database/writer-client.ts'
import type { Metrics } from '../operations/metrics.ts'
import { ClusterMember } from './cluster-member.ts'
import { LinkClient } from './link/link-client.ts'
import { LinkServer } from './link/link-server.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import { createEmptyPeerBus, StarPeerBus } from './peer-bus.ts'
import type { RegionPlatform } from './platform.ts'
import { createMigrationCheck, waitForDatabase } from './replication/await-migrations.ts'
import { createClusterClock } from './replication/cluster-clock.ts'
import type { LogTailer } from './replication/log-tailer.ts'
import { createLocalPositionReader } from './replication/position.ts'
import { PositionWaiter } from './replication/position-waiter.ts'
import { TermHistory } from './replication/primary-terms.ts'
import { ReplicationLag } from './replication/replication-lag.ts'
import type { Topology } from './topology.ts'

/** Retry after the lease went while this region created the database. */
const REOPEN_DELAY_MS = 100

/** A database that exists and is migrated for this code. */
export interface OpenedDatabase {
  litefs: LiteFsClient | null
  migrations: NumberedMigration[]
  /** Start of the term in which this region created or migrated the database; null when it did neither. */
  initialPosition: Position | null
}

/** Waits for a database for this code; the primary creates or migrates it. Throws a DatabaseError. */
export async function openOrAwaitDatabase(
  config: Config,
  platform: RegionPlatform,
  writer: WriterClient,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  const migrations = await loadMigrations()
  if (!config.litefs) {
    await writer.openDatabase({ clockOffsetMs: 0 })
    return { litefs: null, migrations, initialPosition: null }
  }
  const litefs = await platform.openLiteFs()
  const { databaseFile } = config
  while ((await waitForDatabase({ litefs, databaseFile, migrations, signal })) === 'primary') {
    const initialPosition = await writer.openDatabase({ clockOffsetMs: 0 })
    await writer.closeDatabase()
    if (initialPosition !== 'leaseLost') return { litefs, migrations, initialPosition }
    await new Promise((resolve) => setTimeout(resolve, REOPEN_DELAY_MS))
  }
  return { litefs, migrations, initialPosition: null }
}

export interface TopologyOptions extends OpenedDatabase {
  commands: CommandRegistry
  config: Config
  platform: RegionPlatform
  linkKey: KeyObject
  log: Logger
  metrics: Metrics
  writer: WriterClient
  reader: Reader
  db: Sqlite.Database
  logTailer: LogTailer
}

/** A member of a cluster with LiteFS, a single node without it. */
export function createTopology(options: TopologyOptions): Topology {
  const { litefs, config } = options
  return litefs && config.litefs
    ? createClusterTopology(options, litefs, config.litefs)
    : createSingleNodeTopology(options)
}

/** A plain file on one machine: always the primary, always up to date. */
function createSingleNodeTopology({ config, platform, writer, reader }: TopologyOptions): Topology {
  const { region } = config
  const position = (): Position => ({ txid: '', seq: lastUsedSeq(reader) })
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
    writeRoute: () => writer,
    peerSiteUrls: () => [],
    linkServer: null,
    positionWaiter: new PositionWaiter(position),
    start: ({ onPromoted }) => onPromoted(),
    handOver: () => Promise.resolve(),
    close: () => {},
  }
}

function createClusterTopology(
  options: TopologyOptions,
  litefs: LiteFsClient,
  { linkUrl: url, isCandidate }: LiteFsConfig,
): Topology {
  const { config, platform, linkKey: key, log, reader } = options
  const { region } = config
  const clock = createClusterClock(platform.clock)
  const localPosition = createLocalPositionReader(reader, litefs)
  const self = { region, url, migrationCount: options.migrations.length, key, log }
  const linkServer = new LinkServer({ ...self, clock: clock.now, position: localPosition })
  const linkClient = new LinkClient({ ...self, isCandidate, openSocket: platform.openLinkSocket, clock })
  const peerBus = new StarPeerBus({ region, linkServer, linkClient, log })
  const positionWaiter = new PositionWaiter(localPosition)
  const { commands, writer, logTailer } = options
  const member = new ClusterMember({
    commands,
    ...{ region, litefs, writer, linkServer, linkClient, clock, logTailer, positionWaiter, reader, localPosition, log },
    replicationLag: new ReplicationLag(),
    termLedger: openTermLedger(options),
    checkMigrations: createMigrationCheck(options.db, options.migrations),
    onUnacknowledged: options.metrics.recordUnacknowledgedAnswer,
    onFatal: (error) => queueMicrotask(() => throwUncaught(error)),
  })
  return {
    ...{ replicationStatus: member, peerBus, clock: clock.now, linkServer, positionWaiter },
    writeRoute: () => member.writeRoute(),
    peerSiteUrls: () => member.peerSiteUrls(),
    start: (listeners) => member.start(listeners),
    handOver: () => member.handOver(),
    close: () => {
      peerBus.close()
      member.close()
    },
  }
}

function openTermLedger({ config, log, metrics, reader, initialPosition }: TopologyOptions): TermHistory {
  const file = join(config.dataFolder, 'primary-terms')
  const ledger = new TermHistory({ file, log, onEventsLost: metrics.recordLostEvents })
  if (initialPosition) ledger.beginTerm(reader, initialPosition)
  return ledger
}

/** Ends the process: as an uncaught exception, no caller can swallow it. */
function throwUncaught(error: unknown): never {
  throw error
}
