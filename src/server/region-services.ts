import type { KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { Logger } from 'pino'
import { commandRegistry } from './commands.ts'
import { registerFile } from './features/media/register-file.ts'
import { createFeatures } from './features.ts'
import type { AppContext } from './kernel/app-context.ts'
import type { Config } from './kernel/config.ts'
import { openForReading } from './kernel/database/open.ts'
import { DatabaseReader } from './kernel/database/read.ts'
import { ReadWorkerClient } from './kernel/database/read-worker-client.ts'
import { WriterClient } from './kernel/database/writer-client.ts'
import type { Feature } from './kernel/feature.ts'
import { type FileStore, openFileStore } from './kernel/files/file-store.ts'
import { PictureProcessor } from './kernel/files/picture-processor.ts'
import { ResumableUploads } from './kernel/files/resumable-uploads.ts'
import { loadKeys } from './kernel/keys.ts'
import { PersonLimiters } from './kernel/limits/person-limiters.ts'
import { ConnectionRegistry } from './kernel/live/connections.ts'
import { Publisher } from './kernel/live/publisher.ts'
import { checkGuestMessage } from './kernel/operations/check-guest-message.ts'
import { DiskWatch } from './kernel/operations/disk-watch.ts'
import { createMetrics, type Metrics } from './kernel/operations/metrics.ts'
import { DuplicateConnections } from './kernel/presence/duplicate-connections.ts'
import { Presence } from './kernel/presence/presence.ts'
import { CommandRouter } from './kernel/regions/command-router.ts'
import { createTopology, type OpenedDatabase, openOrAwaitDatabase } from './kernel/regions/create-topology.ts'
import type { RegionPlatform } from './kernel/regions/platform.ts'
import { LogTailer } from './kernel/regions/replication/log-tailer.ts'
import type { Topology } from './kernel/regions/topology.ts'
import { fileRows } from './model/media/queries.ts'

/** The services of a region, each opened once and closed by region.ts. */
export interface RegionServices extends DatabaseServices, ReplicationServices, LiveServices {
  appContext: AppContext
  connections: ConnectionRegistry
  files: FileStore
  features: readonly Feature[]
  readWorker: ReadWorkerClient
  /** Makes `isStopping()` true: new commands and requests are refused. */
  markStopping(): void
}

interface DatabaseServices {
  metrics: Metrics
  disk: DiskWatch
  writer: WriterClient
  opened: OpenedDatabase
  db: Sqlite.Database
  reader: DatabaseReader
}

interface ReplicationServices {
  publisher: Publisher
  logTailer: LogTailer
  topology: Topology
  router: CommandRouter
}

interface LiveServices {
  presence: Presence
  duplicates: DuplicateConnections
}

interface ServiceOptions {
  config: Config
  log: Logger
  platform: RegionPlatform
}

/** Opens the services in the order of their dependencies. Waits for a database until `signal` aborts. */
export async function openRegionServices(
  config: Config,
  log: Logger,
  platform: RegionPlatform,
  signal: AbortSignal,
): Promise<RegionServices> {
  mkdirSync(config.dataFolder, { recursive: true })
  const options = { config, log, platform }
  const keys = await loadKeys(config)
  const database = await openDatabase(options, signal)
  const replication = openReplication(options, database, keys.link)
  const { metrics, disk, writer, reader } = database
  const { publisher, topology, router } = replication
  const files = await openFiles(options, keys.files, database, replication)
  const uploads = await openUploads(config, topology, disk)
  const live = openLiveServices(options, replication)
  const readWorker = new ReadWorkerClient({
    file: config.databaseFile,
    module: new URL('./threads/read-worker.ts', import.meta.url),
    onError: (name, stack) => log.error({ name, stack }, 'read failed in the read worker'),
  })
  let isStopping = false
  const coreContext = {
    ...{ config, log, metrics, keys, reader, publisher, files, uploads, disk },
    ...{ presence: live.presence, duplicates: live.duplicates },
    personLimiters: new PersonLimiters(config.limitScale),
    execute: router.execute,
    readInWorker: readWorker.read,
    replicationStatus: topology.replicationStatus,
    pictures: new PictureProcessor({ maxBytes: config.pictureMemoryBytes }),
    clock: topology.clock,
    monotonicNow: () => platform.monotonicNow(),
    isStopping: () => isStopping,
  }
  const { appContext, features } = createFeatures(coreContext, { peerBus: topology.peerBus, files })
  writer.onCommit((events) => {
    for (const { onCommit } of features) onCommit?.(events)
  })
  const services: RegionServices = {
    ...{ ...database, ...replication, ...live },
    ...{ appContext, connections: new ConnectionRegistry(appContext), files, features, readWorker },
    markStopping: () => {
      isStopping = true
    },
  }
  registerGauges(services)
  return services
}

function registerGauges({ metrics, connections, writer, topology }: RegionServices): void {
  metrics.registerGauges({
    connections: () => connections.size,
    queueLength: () => writer.pendingCount(),
    lagMs: () => topology.replicationStatus.lagMs(),
    links: () => topology.peerSiteUrls().length,
    waitingAnswers: () => topology.positionWaiter.waitingCount(),
  })
}

async function openDatabase({ config, log, platform }: ServiceOptions, signal: AbortSignal): Promise<DatabaseServices> {
  const metrics = createMetrics()
  const disk = await openDiskWatch({ config, log, platform })
  const writer = new WriterClient(
    {
      file: config.databaseFile,
      maxQueueLength: config.maxQueueLength,
      isOnLiteFs: config.litefs !== null,
      checkCommand: (envelope) => checkGuestMessage(commandRegistry, disk, reader, envelope),
      onBatch: metrics.recordCommit,
      onError: (command, stack) => log.error({ command, stack }, 'command failed in the writer'),
      onLeaseLost: (cause) => log.warn({ cause }, 'lease lost during a write'),
    },
    platform.startWriter(),
  )
  const opened = await openOrAwaitDatabase(config, platform, writer, signal).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  const db = openForReading(config.databaseFile)
  const reader = new DatabaseReader(db)
  return { metrics, disk, writer, opened, db, reader }
}

/** The mount of LiteFS does not report how full its disk is. */
async function openDiskWatch({ config, log, platform }: ServiceOptions): Promise<DiskWatch> {
  const { dataFolder, databaseFile, litefs, diskLimits: limits } = config
  const folders = litefs ? [dataFolder] : [dataFolder, dirname(databaseFile)]
  const disk = new DiskWatch({ folders, limits, readUsedRatio: platform.readUsedDiskRatio })
  await disk.measure().catch((error: unknown) => log.warn({ err: error }, 'cannot read how full the disk is'))
  return disk
}

function openReplication(
  { config, log, platform }: ServiceOptions,
  { metrics, writer, opened, db, reader }: DatabaseServices,
  linkKey: KeyObject,
): ReplicationServices {
  const publisher = new Publisher(reader.cursor(), config.unreadBytesPerAddress)
  const logTailer = new LogTailer(reader, publisher, (lostSeq) =>
    log.warn({ lostSeq }, 'last published event is missing from the log: resyncing all connections'),
  )
  const topology = createTopology({
    ...opened,
    commands: commandRegistry,
    config,
    log,
    platform,
    linkKey,
    metrics,
    writer,
    db,
    reader,
    logTailer,
  })
  writer.onCommit(logTailer.publishCommitted)
  const router = new CommandRouter({
    writeRoute: topology.writeRoute,
    isClustered: config.litefs !== null,
    awaitReplicaAck: config.awaitReplicaAck,
    maxInFlight: config.maxQueueLength,
    waitForPosition: (position, deadlineMs) => topology.positionWaiter.waitFor(position, deadlineMs),
    onForwarded: metrics.recordForwardedCommand,
    onStaleAnswer: metrics.recordStaleAnswer,
  })
  return { publisher, logTailer, topology, router }
}

function openUploads(
  { dataFolder, uploadLimits: limits }: Config,
  { clock }: Topology,
  disk: DiskWatch,
): Promise<ResumableUploads> {
  const folder = join(dataFolder, 'uploads')
  return ResumableUploads.open({ folder, limits, clock, checkSpace: () => disk.refuseUpload() })
}

function openFiles(
  { config, log }: ServiceOptions,
  key: KeyObject,
  { opened, reader, disk }: DatabaseServices,
  { topology, router }: ReplicationServices,
): Promise<FileStore> {
  return openFileStore({
    folder: join(config.dataFolder, 'files'),
    key,
    peers: {
      leader: () => opened.litefs?.leader() ?? { is: 'self' },
      otherUrls: topology.peerSiteUrls,
      isCandidate: config.litefs?.isCandidate ?? false,
    },
    rows: fileRows(reader),
    checkSpace: () => disk.refuseUpload(),
    register: (file) => router.execute(registerFile, null, file),
    log,
  })
}

function openLiveServices(
  { platform }: ServiceOptions,
  { publisher, topology: { clock, peerBus } }: ReplicationServices,
): LiveServices {
  const presence = new Presence(publisher, () => platform.monotonicNow(), peerBus)
  publisher.on('userProfileUpdated', ({ payload, row }) => presence.updateUser(payload.user, row.seq))
  return {
    presence,
    duplicates: new DuplicateConnections({ presence, publisher, clock }, peerBus),
  }
}
