import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import type { Logger } from 'pino'
import type { EventPayload } from '../shared/protocol/catalogue.ts'
import { Refusal } from '../shared/protocol/refusals.ts'
import { loadKeys } from './accounts/tokens/keys.ts'
import type { AppContext } from './app-context.ts'
import { openForReading } from './database/open.ts'
import { DatabaseReader } from './database/read.ts'
import { ReadWorkerClient } from './database/read-worker-client.ts'
import { WriterClient } from './database/writer-client.ts'
import { createRateLimiter } from './http/rate-limiter.ts'
import { ConnectionRegistry } from './live/connections.ts'
import { DuplicateConnections } from './live/duplicate-connections.ts'
import { Publisher } from './live/publisher.ts'
import { type FileStore, openFileStore } from './media/file-store.ts'
import { PictureProcessor } from './media/picture-processor.ts'
import { fileRows } from './media/queries.ts'
import { createMetrics } from './operations/metrics.ts'
import { Presence } from './presence/presence.ts'
import { CommandRouter } from './regions/command-router.ts'
import type { LinkAcceptor } from './regions/link/link-server.ts'
import { createNodePlatform, type RegionPlatform } from './regions/platform.ts'
import { LogTailer } from './regions/replication/log-tailer.ts'
import { createTopology, openOrAwaitDatabase, type Topology } from './regions/topology.ts'
import { syncViewerBlocks } from './relations/sync-viewer-blocks.ts'
import { SearchIndexer } from './room-chat/search-indexer.ts'
import { TypingIndicators } from './room-chat/typing-indicators.ts'
import type { Settings } from './settings.ts'
import { RoomActivityNotifier } from './site-status/room-activity.ts'

/** How often the log is trimmed, gone guests are let go, and people who are here are noted as seen. */
const JOB_INTERVAL_MS = 60_000

/** How often files are looked for that nobody names any more. */
const FILE_SWEEP_INTERVAL_MS = 60 * 60_000

/** How often the primary looks for what another process wrote into its log: `npm run admin` does. */
const LOG_POLL_INTERVAL_MS = 1_000

/** Rooms entered and resumes, by one person on however many connections: 30 at once, then one a second. */
const SNAPSHOT_LIMIT = { points: 30, perMs: 30_000 }

/** Searches of one person, who types while they are made: 30 at once, then two a second. */
const SEARCH_LIMIT = { points: 30, perMs: 15_000 }

/** What one person changes of themselves, which everyone may be told of: 30 at once, then one in 10 seconds. */
const OWN_CHANGE_LIMIT = { points: 30, perMs: 5 * 60_000 }

const RESTART_NOTICE = 'Sunucu yeniden başlatılıyor. Birazdan geri döneceğiz.'

/** A running region, without its HTTP server. */
export interface Region {
  appContext: AppContext
  connections: ConnectionRegistry
  /** Takes the links of other regions; null where there are none. */
  linkServer: LinkAcceptor | null
  files: FileStore
  /** Tells everyone, refuses new work, hands the lease over, writes the queue out, closes the database. Once, however often it is called. */
  close(): Promise<void>
}

export interface RegionOptions {
  platform?: RegionPlatform
  /** Ends the wait for a database that is not there yet; `openRegion` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Opens the database through its two doors and everything that lives on them. Throws a DatabaseError. */
export async function openRegion(settings: Settings, log: Logger, options: RegionOptions = {}): Promise<Region> {
  mkdirSync(settings.dataFolder, { recursive: true })
  const { platform = createNodePlatform(settings, log), signal = new AbortController().signal } = options
  const metrics = createMetrics()
  const keys = await loadKeys(settings)
  const late: { stand: Topology | null; indexing: SearchIndexer | null } = { stand: null, indexing: null }
  const door = new WriterClient(
    {
      file: settings.databaseFile,
      maxQueueLength: settings.queueLength,
      isOnLiteFs: settings.litefs !== null,
      onEvents: (events, position) => {
        late.stand?.publishCommit(events, position)
        late.indexing?.onCommit(events)
      },
      onBatch: metrics.recordCommit,
      onError: (command, stack) => log.error({ command, stack }, 'a command failed in the writer'),
      onLeaseLost: (cause) => log.warn({ cause }, 'the lease went while something was written'),
    },
    platform.startWriter(),
  )
  const entry = await openOrAwaitDatabase(settings, platform, door, signal).catch(async (error: unknown) => {
    await door.close()
    throw error
  })

  const connection = openForReading(settings.databaseFile)
  const reader = new DatabaseReader(connection)
  const publisher = new Publisher(reader.cursor())
  const followLog = new LogTailer(reader, publisher, (lostSeq) =>
    log.warn({ lostSeq }, 'what was told last is not in the log any more: everybody starts over'),
  )
  const common = { settings, log, metrics, keys, reader, publisher }
  const files = await openFileStore({
    folder: join(settings.dataFolder, 'files'),
    key: keys.files,
    peers: {
      leader: () => entry.litefs?.leader() ?? { is: 'self' },
      otherUrls: () => stand.peerSiteUrls(),
      isCandidate: settings.litefs?.isCandidate ?? false,
    },
    rows: fileRows(reader),
    register: (file) => road.execute('registerFile', null, file),
    log,
  })
  const stand = createTopology({
    ...common,
    ...entry,
    platform: platform,
    writer: door,
    db: connection,
    logTailer: followLog,
    onWriteRouteChange: () => road.notifyRouteChange(),
    onTransaction: () => void files.replicateNew(),
    onBeforePromotion: () => files.replicateAll(),
    onPromoted: async () => {
      await road.execute('seedDefaultRooms', null, {})
      late.indexing?.schedule()
    },
  })
  late.stand = stand
  const road = new CommandRouter({
    writeRoute: stand.writeRoute,
    isClustered: entry.litefs !== null,
    maxInFlight: settings.queueLength,
    waitForPosition: (position, deadlineMs) => stand.positionWaiter.waitFor(position, deadlineMs),
    onForwarded: metrics.recordForwardedCommand,
    onStaleAnswer: metrics.recordStaleAnswer,
  })
  late.indexing = new SearchIndexer(road.execute)
  const slowReads = new ReadWorkerClient({
    file: settings.databaseFile,
    onError: (name, stack) => log.error({ name, stack }, 'a slow read failed'),
  })
  const { clock, peerBus, replicationStatus } = stand
  const presence = new Presence(publisher, () => platform.monotonicNow(), peerBus)
  publisher.onEvent((row) => {
    if (row.name !== 'userProfileUpdated') return
    presence.updateUser((decode(row.payload) as EventPayload<'userProfileUpdated'>).user, row.seq) // as it was emitted
  })
  syncViewerBlocks(publisher, (userId) => presence.connectionsOf(userId))
  const duplicates = new DuplicateConnections({ presence, publisher, clock }, peerBus)
  const snapshots = createRateLimiter({ ...SNAPSHOT_LIMIT, points: SNAPSHOT_LIMIT.points * settings.limitScale })
  const typing = new TypingIndicators(publisher, peerBus, (roomId, userId) => presence.isIn(roomId, userId))
  const activity = new RoomActivityNotifier(publisher, reader)
  const searches = createRateLimiter({ ...SEARCH_LIMIT, points: SEARCH_LIMIT.points * settings.limitScale })
  const ownChanges = createRateLimiter({ ...OWN_CHANGE_LIMIT, points: OWN_CHANGE_LIMIT.points * settings.limitScale })
  let closing = false
  const world: AppContext = {
    ...common,
    execute: road.execute,
    readInWorker: slowReads.read,
    snapshotLimiter: snapshots,
    searchLimiter: searches,
    ownChangeLimiter: ownChanges,
    presence,
    duplicates,
    typing,
    replicationStatus: replicationStatus,
    files,
    pictures: new PictureProcessor(),
    clock,
    isStopping: () => closing,
  }
  const lines = new ConnectionRegistry(world)
  metrics.registerGauges({
    connections: () => lines.size,
    queueLength: () => door.pendingCount(),
    lagMs: () => replicationStatus.lagMs(),
    links: stand.linkCount,
    heldAnswers: () => stand.positionWaiter.waitingCount(),
  })
  await stand.start()
  const looking = setInterval(
    () => replicationStatus.role() === 'primary' && followLog.publishNew(),
    LOG_POLL_INTERVAL_MS,
  )
  looking.unref()
  const chores = setInterval(() => void runJobs(world, files), JOB_INTERVAL_MS)
  chores.unref()
  const sweeping = setInterval(() => void sweepFiles(world, files), FILE_SWEEP_INTERVAL_MS)
  sweeping.unref()
  void files.replicateAll()

  const shutDown = async () => {
    closing = true
    clearInterval(chores)
    clearInterval(sweeping)
    clearInterval(looking)
    late.indexing?.close()
    lines.announceShutdown(RESTART_NOTICE)
    await stand.handOver()
    await road.drain()
    // What other regions sent is answered while the lines to them are there. Alone, the writer is the last to leave the
    // file: whoever closes it last puts it in order.
    if (stand.linkServer) await door.closeDatabase()
    lines.close()
    presence.close()
    typing.close()
    activity.close()
    stand.close()
    followLog.close()
    await files.close()
    await slowReads.close()
    connection.close()
    await door.close()
  }
  let closed: Promise<void> | null = null
  return {
    appContext: world,
    connections: lines,
    linkServer: stand.linkServer,
    files,
    close: () => {
      closed ??= shutDown()
      return closed
    },
  }
}

/** Each in small steps, one after another, so that nobody waits for them. What the primary does for all, it does alone. */
async function runJobs({ execute, presence, replicationStatus }: AppContext, files: FileStore): Promise<void> {
  const userIds = presence.onlineUserIds()
  if (userIds.length) await execute('touchUsers', null, { userIds, sessionIds: presence.onlineSessionIds() })
  void files.replicateAll()
  if (replicationStatus.role() !== 'primary') return
  for (const chore of ['trimLog', 'sweepAccounts', 'deleteRemovedMessages'] as const) {
    let step = await execute(chore, null, {})
    while (!(step instanceof Refusal) && step.removed > 0) step = await execute(chore, null, {})
  }
}

/** Files that nobody names any more lose their rows, which the primary sees to; then each region lets go of what has none. */
async function sweepFiles({ execute, replicationStatus }: AppContext, files: FileStore): Promise<void> {
  let after: number | null = replicationStatus.role() === 'primary' ? 0 : null
  while (after !== null) {
    const step = await execute('sweepFiles', null, { after })
    after = step instanceof Refusal ? null : step.after
  }
  await files.sweep()
}
