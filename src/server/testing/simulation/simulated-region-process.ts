import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import pino from 'pino'
import { readConfig } from '../../kernel/config.ts'
import type { NumberedMigration } from '../../kernel/database/migrate.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import type { WriterTransport } from '../../kernel/database/writer-client.ts'
import type { RegionPlatform } from '../../kernel/regions/platform.ts'
import { openRegion, type Region } from '../../region.ts'
import { createInProcessWriter } from '../fixtures/in-process-writer.ts'
import type { SeededRandom } from './seeded-random.ts'
import { createOrderedDelay } from './simulated-clock.ts'
import type { SimulatedMount } from './simulated-litefs.ts'
import type { SimulatedLiteFsNode } from './simulated-litefs-node.ts'
import { ABNORMAL_CLOSURE } from './simulated-network.ts'
import { acceptClient, type FrameSocket, toLinkSocket } from './socket-adapters.ts'

/** LiteFS names the primary soon after its event stream opens. */
const FIRST_EVENT_MS = 10
/** Maximum latency of messages to and from the writer thread. */
const MAX_THREAD_LATENCY_MS = 15
const SIMULATION_SECRET = 'the secret of a simulated site, long enough'

export interface SimulatedRegionProcessOptions {
  mount: SimulatedMount
  random: SeededRandom
  migrations: NumberedMigration[]
  /** Clock error of this machine, in milliseconds. */
  clockSkewMs: number
  /** Opens a connection to the site at this URL. */
  connect: (url: string) => FrameSocket
  onLog: (entry: Record<string, unknown>) => void
}

/** A region's process: the real code on a simulated platform. It starts once, and is then stopped or killed. */
export class SimulatedRegionProcess {
  readonly mount: SimulatedMount
  /** Null until the database is open, and after the end. */
  region: Region | null = null
  /** Settles when the process has stopped or was killed. */
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

  /** Accepts a connection of a region or a browser. */
  acceptSocket(end: FrameSocket, as: 'link' | 'client', from: string): void {
    if (!this.region || this.ended) end.close(ABNORMAL_CLOSURE)
    else {
      this.sockets.add(end)
      if (as === 'client') acceptClient(this.region, end)
      else this.region.linkServer?.accept(toLinkSocket(end), from)
    }
  }

  /** SIGTERM: closes the site, then its LiteFS. */
  stop(): Promise<void> {
    this.ended ??= this.close().then(() => {
      // Messages in flight still arrive.
      this.isIsolated = true
      for (const socket of this.sockets) socket.close(ABNORMAL_CLOSURE)
      this.litefsNode.stop('graceful')
    })
    return this.ended
  }

  /**
   * kill -9 of the site alone, after which its LiteFS frees the lease, or of both. From then on the process has neither
   * network nor disk.
   */
  kill(target: 'site' | 'both'): Promise<void> {
    this.isolate()
    this.litefsNode.stop(target === 'site' ? 'graceful' : 'killed')
    const copy = `${this.dataFolder}-copy`
    cpSync(this.dataFolder, copy, { recursive: true })
    this.ended ??= this.close()
    this.ended = this.ended.then(() => {
      rmSync(this.dataFolder, { recursive: true })
      renameSync(copy, this.dataFolder)
    })
    return this.ended
  }

  private async open(): Promise<Region | null> {
    const { mount, onLog } = this.options
    const { name, url, isCandidate } = mount.region
    const config = readConfig({
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
      this.region = await openRegion(config, pino({ level: 'info' }, { write }), {
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
      readUsedDiskRatio: () => Promise.resolve(0),
      openLinkSocket: (url) => {
        const end = this.options.connect(url)
        this.sockets.add(end)
        if (this.isIsolated) end.drop()
        return toLinkSocket(end)
      },
    }
  }

  /** A writer with the latency of a thread in both directions. */
  private createWriterTransport(clock: () => number): WriterTransport {
    const { migrations, random } = this.options
    const { file } = this.mount
    const openDatabase = () => {
      const db = openForWriting(file.path, 'unchecked')
      this.litefsNode.attachWriter(db)
      return db
    }
    const randomInt = (below: number) => random.integer(0, below - 1)
    const readTxid = () => this.litefsNode.txid()
    const writer = createInProcessWriter({
      isOnLiteFs: true,
      migrations,
      openDatabase,
      readTxid,
      clock,
      randomInt,
    })
    const delay = createOrderedDelay(() => random.integer(0, MAX_THREAD_LATENCY_MS))
    const closed = new Promise<void>((resolve) => {
      writer.onMessage((message) => {
        if (message.kind === 'databaseClosed') delay(resolve)
      })
    })
    return {
      post: (message) => delay(() => writer.post(message)),
      onMessage: (listener) => writer.onMessage((message) => delay(() => listener(message))),
      ended: closed,
    }
  }

  private async close(): Promise<void> {
    this.abort.abort(new Error('the process ends'))
    const region = await this.opening
    await region?.close()
    this.region = null
  }

  /** Disconnects the process from network and log. */
  private isolate(): void {
    this.isIsolated = true
    for (const socket of this.sockets) socket.drop()
    this.sockets.clear()
  }
}
