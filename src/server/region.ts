import type { Logger } from 'pino'
import { refusals } from '../shared/protocol/refusals.ts'
import type { AppContext } from './kernel/app-context.ts'
import type { Config } from './kernel/config.ts'
import type { Feature } from './kernel/feature.ts'
import type { FileStore } from './kernel/files/file-store.ts'
import type { ConnectionRegistry } from './kernel/live/connections.ts'
import { type Job, SECOND_MS, startJobs } from './kernel/operations/jobs.ts'
import type { LinkServer } from './kernel/regions/link/link-server.ts'
import { createNodePlatform, type RegionPlatform } from './kernel/regions/platform.ts'
import type { TopologyListeners } from './kernel/regions/topology.ts'
import { openRegionServices, type RegionServices } from './region-services.ts'

/** A running region, without its HTTP server. */
export interface Region {
  appContext: AppContext
  connections: ConnectionRegistry
  /** Accepts the links of other regions; null on a single node. */
  linkServer: LinkServer | null
  files: FileStore
  features: readonly Feature[]
  /** Shuts the region down in order. Further calls return the same promise. */
  close(): Promise<void>
}

/** What the writer thread runs. */
export const writerModule = new URL('./threads/writer.ts', import.meta.url)

export interface RegionOptions {
  platform?: RegionPlatform
  /** Aborts the wait for a missing database; `openRegion` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Opens the database and the services, starts the topology and the jobs. Throws a DatabaseError. */
export async function openRegion(config: Config, log: Logger, options: RegionOptions = {}): Promise<Region> {
  const { platform = createNodePlatform(config, log, writerModule), signal = new AbortController().signal } = options
  const services = await openRegionServices(config, log, platform, signal)
  const { appContext, connections, topology, files } = services
  await topology.start(createTopologyListeners(services))
  const stopJobs = startJobs(jobsOf(services), () => topology.replicationStatus.role() === 'primary')
  void files.replicateAll()
  let closed: Promise<void> | null = null
  return {
    appContext,
    connections,
    linkServer: topology.linkServer,
    files,
    features: services.features,
    close: () => {
      closed ??= shutDown(services, stopJobs)
      return closed
    },
  }
}

function jobsOf({ logTailer, features }: RegionServices): Job[] {
  // `npm run admin` writes events from another process.
  const tailLog = { intervalMs: SECOND_MS, isPrimaryOnly: true, run: () => logTailer.publishNew() }
  return [tailLog, ...features.flatMap(({ jobs = [] }) => jobs)]
}

/** Passes changes of the topology to the other services. */
function createTopologyListeners({ router, files, features }: RegionServices): TopologyListeners {
  return {
    onWriteRouteChange: () => router.notifyRouteChange(),
    onTransaction: () => void files.replicateNew(),
    onBeforePromotion: () => files.replicateAll(),
    onPromoted: async () => {
      await Promise.all(features.map(({ onPromoted }) => onPromoted?.()))
    },
  }
}

/**
 * Announces the shutdown, refuses new work, hands the lease over, finishes running commands, then closes the services in
 * reverse order of their dependencies.
 */
async function shutDown(services: RegionServices, stopJobs: () => void): Promise<void> {
  const { connections, topology, router, writer } = services
  services.markStopping()
  stopJobs()
  for (const { onStopping } of services.features) onStopping?.()
  connections.announceShutdown(refusals.ShuttingDown.message)
  await topology.handOver()
  await router.drain()
  // In a cluster the writer closes its database while the links can still answer remote commands. On a single node it
  // closes last, because the last connection checkpoints the database.
  if (topology.linkServer) await writer.closeDatabase()
  connections.close()
  services.presence.close()
  for (const { close } of services.features) close?.()
  topology.close()
  services.logTailer.close()
  services.appContext.pictures.close()
  await services.files.close()
  await services.readWorker.close()
  services.db.close()
  await writer.close()
}
