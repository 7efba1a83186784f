import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import pino from 'pino'
import type { NumberedMigration } from '../database/migrate.ts'
import { openForWriting } from '../database/open.ts'
import { createInProcessWriter, type WriterTransport } from '../database/writer-source.ts'
import { openRegion, type Region } from '../region.ts'
import type { RegionPlatform } from '../regions/ground.ts'
import { readSettings } from '../settings.ts'
import type { Chance } from './simulated-chance.ts'
import type { Mount } from './simulated-litefs.ts'
import { LINE_LOST } from './simulated-network.ts'
import type { SimulatedRun } from './simulated-run.ts'
import { acceptClient, asLinkSocket, type FrameLine } from './simulated-sockets.ts'
import { inOrder } from './simulated-time.ts'

/** LiteFS says who leads as soon as it is asked. */
const FIRST_LINE_MS = 10
/** The writer's thread: what is posted to it, and what it says, arrives so much later at most. */
const THREAD_MS = 15
const SECRET = 'the secret of a simulated site, long enough'

export interface SimulatedProcessOptions {
  mount: Mount
  chance: Chance
  migrations: NumberedMigration[]
  /** How wrong this machine's clock is, in milliseconds. */
  aheadMs: number
  /** Opens a line to the site at this URL. */
  dial: (url: string) => FrameLine
  onLog: (line: Record<string, unknown>) => void
}

/** A region's process: the real one but for its machine. It is started once, and then ended in order or killed. */
export class SimulatedProcess {
  readonly mount: Mount
  /** Null until there is a database to serve from, and after the end. */
  region: Region | null = null
  /** Settles when the process has ended, by whatever way. */
  ended: Promise<void> | null = null
  private readonly options: SimulatedProcessOptions
  private readonly run: SimulatedRun
  private readonly opening: Promise<Region | null>
  private readonly abort = new AbortController()
  private readonly lines = new Set<FrameLine>()
  private readonly dataFolder: string
  private isMuted = false

  constructor(options: SimulatedProcessOptions) {
    this.options = options
    this.mount = options.mount
    this.dataFolder = `${this.mount.file.path}-data`
    mkdirSync(this.dataFolder, { recursive: true })
    this.run = this.mount.start()
    this.opening = this.open()
  }

  get isReady(): boolean {
    return this.region?.appContext.replicationStatus.notReadyReason() === null
  }

  /** Somebody knocks who wants to link, or to be served. */
  take(end: FrameLine, as: 'link' | 'client', from: string): void {
    if (!this.region || this.ended) end.close(LINE_LOST)
    else {
      this.lines.add(end)
      if (as === 'client') acceptClient(this.region.connections, end)
      else this.region.linkServer?.accept(asLinkSocket(end), from)
    }
  }

  /** SIGTERM: the site ends in order, then its LiteFS. */
  stop(): Promise<void> {
    this.ended ??= this.close().then(() => {
      // What was sent still arrives.
      this.isMuted = true
      for (const line of this.lines) line.close(LINE_LOST)
      this.run.end('inOrder')
    })
    return this.ended
  }

  /**
   * kill -9: of the site alone, after which its LiteFS frees the lease; or of both. What the process still does finds
   * neither network nor disk.
   */
  kill(what: 'site' | 'both'): Promise<void> {
    this.mute()
    this.run.end(what === 'site' ? 'inOrder' : 'killed')
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
      MEYDAN_SECRET: SECRET,
      LITEFS_CANDIDATE: String(isCandidate),
    })
    const write = (line: string) => {
      if (!this.isMuted) onLog({ from: name, at: Date.now(), ...JSON.parse(line) })
    }
    try {
      this.region = await openRegion(settings, pino({ level: 'info' }, { write }), {
        platform: this.ground(),
        signal: this.abort.signal,
      })
      return this.region
    } catch (error) {
      if (this.abort.signal.aborted) return null
      throw error
    }
  }

  private ground(): RegionPlatform {
    const clock = () => Date.now() + this.options.aheadMs
    return {
      clock,
      monotonicNow: clock,
      startWriter: () => this.writer(clock),
      openLiteFs: async () => {
        await new Promise((resolve) => setTimeout(resolve, FIRST_LINE_MS))
        return this.run
      },
      openLinkSocket: (url) => {
        const end = this.options.dial(url)
        this.lines.add(end)
        if (this.isMuted) end.drop()
        return asLinkSocket(end)
      },
    }
  }

  /** The writer as in a thread of its own: both ways take a moment, in which anything may happen. */
  private writer(clock: () => number): WriterTransport {
    const { migrations, chance } = this.options
    const { file } = this.mount
    const openDatabase = () => {
      const db = openForWriting(file.path, 'unchecked')
      this.run.keep(db)
      return db
    }
    const random = (below: number) => chance.whole(0, below - 1)
    const readTxid = () => this.run.txid()
    const source = createInProcessWriter({
      isOnLiteFs: true,
      migrations,
      openDatabase,
      readTxid,
      clock,
      randomInt: random,
    })
    const later = inOrder(() => chance.whole(0, THREAD_MS))
    const closed = new Promise<void>((resolve) => {
      source.onMessage((message) => {
        if (message.kind === 'shut') later(resolve)
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
  private mute(): void {
    this.isMuted = true
    for (const line of this.lines) line.drop()
    this.lines.clear()
  }
}
