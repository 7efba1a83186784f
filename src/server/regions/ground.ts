import type { Logger } from 'pino'
import { type WriterSource, writerThread } from '../database/writer-source.ts'
import type { Settings } from '../settings.ts'
import type { LinkSocket } from './link-line.ts'
import { dialWebSocket } from './link-socket.ts'
import { connectLiteFs, type LiteFs } from './litefs.ts'
import { watchLiteFs } from './litefs-watch.ts'

/** What a region gets from the machine it runs on. A simulation brings its own. */
export interface Ground {
  /** This machine's own clock, in epoch milliseconds. */
  clock(): number
  /** Milliseconds that go forward only, whatever is done to the clock: what lasts is measured by them. */
  steady(): number
  /** The one writer, loaded and waiting. */
  writer(): WriterSource
  /** LiteFS under this region. Only asked for where the settings name one. */
  litefs(): Promise<LiteFs>
  /** Opens a link to the site at this URL. */
  dial(url: string): LinkSocket
}

/** This machine. */
export function machine(settings: Settings, log: Logger): Ground {
  return {
    clock: Date.now,
    steady: () => performance.now(),
    writer: () => writerThread(settings.databaseFile, settings.litefs !== null),
    litefs: async () => {
      if (!settings.litefs) throw new Error('there is no LiteFS here')
      const { url, linkUrl: ownUrl } = settings.litefs
      const onDead = () => {
        log.fatal('LiteFS has died under the site')
        // An orderly end would touch the database, and every touch blocks for about 10 s now (decision 0008).
        process.kill(process.pid, 'SIGKILL')
      }
      const { databaseFile } = settings
      const litefs = await connectLiteFs({ url, databaseFile, ownUrl, log, onDead })
      watchLiteFs(url, databaseFile)
      return litefs
    },
    dial: dialWebSocket,
  }
}
