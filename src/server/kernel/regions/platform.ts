import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { spawnWriter, type WriterTransport } from '../database/writer-client.ts'
import type { LinkSocket } from './link/link-connection.ts'
import { openLinkWebSocket } from './link/link-socket.ts'
import { connectLiteFs, type LiteFsClient } from './litefs/litefs-client.ts'
import { startLiteFsWatchdog } from './litefs/litefs-watchdog.ts'

/** What a region gets from the machine it runs on. A simulation brings its own. */
export interface RegionPlatform {
  /** This machine's own clock, in epoch milliseconds. */
  clock(): number
  /** Monotonic milliseconds, for durations; setting the clock does not change them. */
  monotonicNow(): number
  /** Starts the writer, its database still closed. */
  startWriter(): WriterTransport
  /** Connects to this region's LiteFS. Throws when the settings name none. */
  openLiteFs(): Promise<LiteFsClient>
  /** Opens a link to the site at this URL. */
  openLinkSocket(url: string): LinkSocket
  /** The share of a folder's disk that is in use, 0 to 1. */
  readUsedDiskRatio(folder: string): Promise<number>
}

/** The platform of a real process. @param writerModule what the writer thread runs */
export function createNodePlatform(config: Config, log: Logger, writerModule: URL): RegionPlatform {
  return {
    clock: Date.now,
    monotonicNow: () => performance.now(),
    startWriter: () => spawnWriter(writerModule, { file: config.databaseFile, isOnLiteFs: config.litefs !== null }),
    openLiteFs: async () => {
      if (!config.litefs) throw new Error('LiteFS is not configured')
      const { url, linkUrl: ownUrl } = config.litefs
      const onDead = () => {
        log.fatal('LiteFS is dead, exiting')
        // A graceful shutdown would access the database, which blocks for about 10 s now (decision 0008).
        process.kill(process.pid, 'SIGKILL')
      }
      const { databaseFile } = config
      const litefs = await connectLiteFs({ url, databaseFile, ownUrl, log, onDead })
      startLiteFsWatchdog(url, databaseFile)
      return litefs
    },
    openLinkSocket: openLinkWebSocket,
    readUsedDiskRatio,
  }
}

/** Of the space that this process may use, as `df` counts it: blocks that are kept for root count as neither free nor used. */
async function readUsedDiskRatio(folder: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(folder)
  const used = blocks - bfree
  return used + bavail === 0 ? 0 : used / (used + bavail)
}
