import type { Logger } from 'pino'
import { spawnWriter, type WriterTransport } from '../database/writer-client.ts'
import type { Settings } from '../settings.ts'
import type { LinkSocket } from './link/link-connection.ts'
import { openLinkWebSocket } from './link/link-socket.ts'
import { connectLiteFs, type LiteFsClient } from './litefs/litefs-client.ts'
import { startLiteFsWatchdog } from './litefs/litefs-watchdog.ts'

/** What a region gets from the machine it runs on. A simulation brings its own. */
export interface RegionPlatform {
  /** This machine's own clock, in epoch milliseconds. */
  clock(): number
  /** Milliseconds that go forward only, whatever is done to the clock: what lasts is measured by them. */
  monotonicNow(): number
  /** The one writer, loaded and waiting. */
  startWriter(): WriterTransport
  /** LiteFS under this region. Only asked for where the settings name one. */
  openLiteFs(): Promise<LiteFsClient>
  /** Opens a link to the site at this URL. */
  openLinkSocket(url: string): LinkSocket
}

/** This machine. */
export function createNodePlatform(settings: Settings, log: Logger): RegionPlatform {
  return {
    clock: Date.now,
    monotonicNow: () => performance.now(),
    startWriter: () => spawnWriter({ file: settings.databaseFile, isOnLiteFs: settings.litefs !== null }),
    openLiteFs: async () => {
      if (!settings.litefs) throw new Error('there is no LiteFS here')
      const { url, linkUrl: ownUrl } = settings.litefs
      const onDead = () => {
        log.fatal('LiteFS is dead, exiting')
        // An orderly end would touch the database, and every touch blocks for about 10 s now (decision 0008).
        process.kill(process.pid, 'SIGKILL')
      }
      const { databaseFile } = settings
      const litefs = await connectLiteFs({ url, databaseFile, ownUrl, log, onDead })
      startLiteFsWatchdog(url, databaseFile)
      return litefs
    },
    openLinkSocket: openLinkWebSocket,
  }
}
