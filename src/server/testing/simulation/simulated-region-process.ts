import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import pino from 'pino'
import type { NumberedMigration } from '../../database/migrate.ts'
import { openForWriting } from '../../database/open.ts'
import type { WriterTransport } from '../../database/writer-client.ts'
import { openRegion, type Region } from '../../region.ts'
import type { RegionPlatform } from '../../regions/platform.ts'
import { readSettings } from '../../settings.ts'
import { createInProcessWriter } from '../fixtures/in-process-writer.ts'
import type { SeededRandom } from './seeded-random.ts'
import { createOrderedDelay } from './simulated-clock.ts'
import type { SimulatedMount } from './simulated-litefs.ts'
import type { SimulatedLiteFsNode } from './simulated-litefs-node.ts'
import { ABNORMAL_CLOSURE } from './simulated-network.ts'
import { acceptClient, type FrameSocket, toLinkSocket } from './socket-adapters.ts'

/** LiteFS says who leads as soon as it is asked. */
const FIRST_EVENT_MS = 10
/** The writer's thread: what is posted to it, and what it says, arrives so much later at most. */
const MAX_THREAD_LATENCY_MS = 15
const SIMULATION_SECRET = 'the secret of a simulated site, long enough'

export interface SimulatedRegionProcessOptions {
  mount: SimulatedMount
  random: SeededRandom
  migrations: NumberedMigration[]
  /** How wrong this machine's clock is, in milliseconds. */
  clockSkewMs: number
  /** Opens a line to the site at this URL. */
  connect: (url: string) => FrameSocket
  onLog: (line: Record<string, unknown>) => void
}

/** A region's process: the real one but for its machine. It is started once, and then ended in order or killed. */
export class SimulatedRegionProcess {
  readonly mount: SimulatedMount
  /** Null until there is a database to serve from, and after the end. */
  region: Region | null = null
  /** Settles when the process has ended, by whatever way. */
  ended: Promise<void> | null = null
  private readonly options: SimulatedRegionProcessOptions
  private readonly litefsNode: SimulatedLiteFsNode
  private readonly opening: Promise<Region | null>
  private readonly abort = new AbortController()
  private readonly sockets = new Set<FrameSocket>()
  private readonly dataFolder: string
  private isIsolated = false

  constructor(options: SimulatedRegionProcessOptions) {
    this.options = options
    this.mount = options.mount
    this.dataFolder = `${this.mount.file.path}-data`
    mkdirSync(this.dataFolder, { recursive: true })
    this.litefsNode = this.mount.start()
    this.opening = this.open()
  }

  get isReady(): boolean {
    return this.region?.appContext.replicationStatus.notReadyReason() === null
  }

  /** Somebody knocks who wants to link, or to be served. */
  acceptSocket(end: FrameSocket, as: 'link' | 'client', from: string): void {
    if (!this.region || this.ended) end.close(ABNORMAL_CLOSURE)
    else {
      this.sockets.add(end)
      if (as === 'client') acceptClient(this.region, end)
      else this.region.linkServer?.accept(toLinkSocket(end), from)
    }
  }

  /** SIGTERM: the site ends in order, then its LiteFS. */
  stop(): Promise<void> {
    this.ended ??= this.close().then(() => {
      // What was sent still arrives.
      this.isIsolated = true
      for (const line of this.sockets) line.close(ABNORMAL_CLOSURE)
      this.litefsNode.stop('graceful')
    })
    return this.ended
  }

  /**
   * kill -9: of the site alone, after which its LiteFS frees the lease; or of both. What the process still does finds
   * neither network nor disk.
   */
  kill(what: 'site' | 'both'): Promise<void> {
    this.isolate()
    this.litefsNode.stop(what === 'site' ? 'graceful' : 'killed')
    const kept = `${this.dataFolder}-kept`
    cpSync(this.dataFolder, kept, { recursive: true })
    this.ended ??= this.close()
    this.ended = this.ended.then(() => {
      rmSync(this.dataFolder, { recursive: true })
      renameSync(kept, this.dataFolder)
    })
    return this.ended
  }

  private async open(): Promise<Region | null> {
    const { mount, onLog } = this.options
    const { name, url, isCandidate } = mount.region
    const settings = readSettings({
      MEYDAN_REGION: name,
      MEYDAN_LITEFS: 'http://litefs',
      MEYDAN_LINK_URL: url,
      MEYDAN_DB: mount.file.path,
      MEYDAN_DATA: this.dataFolder,
      MEYDAN_SECRET: SIMULATION_SECRET,
      LITEFS_CANDIDATE: String(isCandidate),
    })
    const write = (line: string) => {
      if (!this.isIsolated) onLog({ from: name, at: Date.now(), ...JSON.parse(line) })
    }
    try {
      this.region = await openRegion(settings, pino({ level: 'info' }, { write }), {
        platform: this.createPlatform(),
        signal: this.abort.signal,
      })
      return this.region
    } catch (error) {
      if (this.abort.signal.aborted) return null
      throw error
    }
  }

  private createPlatform(): RegionPlatform {
    const clock = () => Date.now() + this.options.clockSkewMs
    return {
      clock,
      monotonicNow: clock,
      startWriter: () => this.createWriterTransport(clock),
      openLiteFs: async () => {
        await new Promise((resolve) => setTimeout(resolve, FIRST_EVENT_MS))
        return this.litefsNode
      },
      openLinkSocket: (url) => {
        const end = this.options.connect(url)
        this.sockets.add(end)
        if (this.isIsolated) end.drop()
        return toLinkSocket(end)
      },
    }
  }

  /** The writer as in a thread of its own: both ways take a moment, in which anything may happen. */
  private createWriterTransport(clock: () => number): WriterTransport {
    const { migrations, random: chance } = this.options
    const { file } = this.mount
    const openDatabase = () => {
      const db = openForWriting(file.path, 'unchecked')
      this.litefsNode.attachWriter(db)
      return db
    }
    const random = (below: number) => chance.integer(0, below - 1)
    const readTxid = () => this.litefsNode.txid()
    const source = createInProcessWriter({
      isOnLiteFs: true,
      migrations,
      openDatabase,
      readTxid,
      clock,
      randomInt: random,
    })
    const later = createOrderedDelay(() => chance.integer(0, MAX_THREAD_LATENCY_MS))
    const closed = new Promise<void>((resolve) => {
      source.onMessage((message) => {
        if (message.kind === 'databaseClosed') later(resolve)
      })
    })
    return {
      post: (message) => later(() => source.post(message)),
      onMessage: (listener) => source.onMessage((message) => later(() => listener(message))),
      ended: closed,
    }
  }

  private async close(): Promise<void> {
    this.abort.abort(new Error('the process ends'))
    const region = await this.opening
    await region?.close()
    this.region = null
  }

  /** Nothing of this process reaches anybody any more. */
  private isolate(): void {
    this.isIsolated = true
    for (const line of this.sockets) line.drop()
    this.sockets.clear()
  }
}
