import { basename } from 'node:path'
import type { Logger } from 'pino'
import { StableLeader } from '../replication/stable-leader.ts'
import { type LiteFsEvent, LiteFsEventStream } from './litefs-events.ts'
import { isMountDead, readMountFile } from './litefs-mount.ts'

/** Who may write, as LiteFS says: `url` is where that region's site takes the link. */
export type Leader = { is: 'self' } | { is: 'other'; url: string } | { is: 'nobody' }

/** LiteFS under this region, as the site sees it. */
export interface LiteFsClient {
  leader(): Leader
  /** The local database's transaction, 16 hex digits; `''` where there is no database yet. */
  txid(): string
  /** Called at every change of the leader. */
  onLeaderChange(listener: (leader: Leader) => void): void
  /** Something new became visible here: one transaction, many, or a snapshot. */
  onTransaction(listener: () => void): void
  /** Milliseconds behind the primary by LiteFS's own heartbeat; null while it was never connected. */
  lagMs(): number | null
  /** Asks LiteFS to make this region the primary; resolves when it is. Rejects when it is refused or takes too long. */
  promote(): Promise<void>
  close(): void
}

export interface LiteFsClientOptions {
  /** Base URL of LiteFS's own HTTP server. */
  url: string
  /** In the mount: what LiteFS tells of other databases is not for us. */
  databaseFile: string
  /** Where other regions reach this region's site: the name under which LiteFS knows this region. */
  ownUrl: string
  log: Pick<Logger, 'info' | 'warn'>
  /**
   * LiteFS has died under the site. Whatever touches the database from now on blocks its thread for about 10 s: end the
   * process, and close nothing.
   */
  onDead: () => void
}

/** LiteFS starts the site when it serves, so it answers at once. */
const START_TIMEOUT_MS = 10_000
/** A handover took up to 0.3 s (decision 0008). */
const PROMOTE_TIMEOUT_MS = 5_000
/** What LiteFS says of its lag before its first connection to a primary. */
const NEVER_CONNECTED_LAG_MS = 2 ** 31 - 1

/** Resolves when LiteFS has said who leads. Rejects when it does not in time, or is dead already. */
export async function connectLiteFs(options: LiteFsClientOptions): Promise<LiteFsClient> {
  const litefs = new MountedLiteFsClient(options)
  try {
    await litefs.start()
  } catch (error) {
    litefs.close()
    throw error
  }
  return litefs
}

/** What decision 0008 (docs/decisions) says of events and files of the mount is the source of everything here. */
class MountedLiteFsClient implements LiteFsClient {
  private readonly options: LiteFsClientOptions
  private readonly database: string
  private readonly events: LiteFsEventStream
  private readonly stableLeader: StableLeader
  private readonly leaderListeners = new Set<(leader: Leader) => void>()
  private readonly transactionListeners: (() => void)[] = []
  private pendingStart: { resolve: () => void; reject: (error: Error) => void } | null = null
  private isStreamBroken = false
  private isClosed = false

  constructor(options: LiteFsClientOptions) {
    this.options = options
    this.database = basename(options.databaseFile)
    this.stableLeader = new StableLeader((leader) => this.notifyLeaderChange(leader))
    this.events = new LiteFsEventStream(options.url, {
      onEvents: (lines) => this.handleEvents(lines),
      onBroken: (error, isRefused) => this.handleStreamBroken(error, isRefused),
    })
  }

  async start(): Promise<void> {
    const { url } = this.options
    const said = new Promise<void>((resolve, reject) => {
      this.pendingStart = { resolve, reject }
    })
    const late = setTimeout(
      () => this.pendingStart?.reject(new Error(`LiteFS does not say at ${url}/events who the primary is`)),
      START_TIMEOUT_MS,
    )
    this.events.open()
    try {
      await said
    } finally {
      clearTimeout(late)
      this.pendingStart = null
    }
  }

  leader(): Leader {
    return this.stableLeader.leader()
  }

  txid(): string {
    const text = this.readMountFile(`${this.database}-pos`) ?? ''
    const txid = /^[0-9a-f]{16}(?=\/)/.exec(text)?.[0] ?? ''
    // A database that was created and has no transaction yet.
    return /[^0]/.test(txid) ? txid : ''
  }

  lagMs(): number | null {
    const text = this.readMountFile('.lag')
    const lag = text === null ? Number.NaN : Number.parseInt(text, 10)
    return Number.isNaN(lag) || lag === NEVER_CONNECTED_LAG_MS ? null : lag
  }

  onLeaderChange(listener: (leader: Leader) => void): void {
    this.leaderListeners.add(listener)
  }

  onTransaction(listener: () => void): void {
    this.transactionListeners.push(listener)
  }

  async promote(): Promise<void> {
    const late = AbortSignal.timeout(PROMOTE_TIMEOUT_MS)
    const answer = await fetch(`${this.options.url}/promote`, { method: 'POST', signal: late })
    const said = (await answer.text()).trim()
    if (!answer.ok) throw new Error(`LiteFS does not make this region the primary: ${answer.status} ${said}`)
    await this.waitUntilPrimary(late)
  }

  close(): void {
    this.isClosed = true
    this.events.close()
    this.stableLeader.close()
  }

  private waitUntilPrimary(late: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        const isSelf = this.leader().is === 'self'
        if (!isSelf && !late.aborted) return
        this.leaderListeners.delete(settle)
        late.removeEventListener('abort', settle)
        if (isSelf) resolve()
        else reject(new Error(`this region is not the primary after ${PROMOTE_TIMEOUT_MS} ms`))
      }
      this.leaderListeners.add(settle)
      late.addEventListener('abort', settle)
      settle()
    })
  }

  /** Lines that came together are told as one: whoever is told reads everything that is new. */
  private handleEvents(lines: LiteFsEvent[]): void {
    let hasNews = false
    for (const { type, db, data } of lines) {
      if (type === 'tx' && db === this.database) hasNews = true
      if (type !== 'init' && type !== 'primaryChange') continue
      // What came before the change belongs to the old leader's time. What a break kept from us came before it, too.
      if (hasNews || (type === 'init' && !this.pendingStart)) this.notifyTransaction()
      hasNews = false
      this.updateLeader(data)
      if (type === 'init') this.handleStreamStarted()
    }
    if (hasNews) this.notifyTransaction()
  }

  private updateLeader({ isPrimary = false, hostname = '' }: LiteFsEvent['data']): void {
    const url = hostname.replace(/\/+$/, '')
    // Right after a handover the former primary may name itself for a moment.
    const isNobody = url === '' || url === this.options.ownUrl.replace(/\/+$/, '')
    this.stableLeader.update(isPrimary ? { is: 'self' } : isNobody ? { is: 'nobody' } : { is: 'other', url })
  }

  private handleStreamStarted(): void {
    if (this.isStreamBroken) this.options.log.info('LiteFS event stream restored')
    this.isStreamBroken = false
    this.pendingStart?.resolve()
  }

  private handleStreamBroken(error: Error, isRefused: boolean): void {
    if (isMountDead(this.options.databaseFile, isRefused)) return void this.handleDead(error)
    if (!this.isStreamBroken) this.options.log.warn({ err: error }, 'LiteFS event stream broken')
    this.isStreamBroken = true
  }

  /** null where there is no such file, or nothing answers: then that was the end. */
  private readMountFile(name: string): string | null {
    try {
      return readMountFile(this.options.databaseFile, name)
    } catch (error) {
      this.handleDead(error)
      return null
    }
  }

  private handleDead(error: unknown): void {
    if (this.isClosed) return
    this.close()
    if (this.pendingStart) this.pendingStart.reject(new Error('LiteFS is dead', { cause: error }))
    else this.options.onDead()
  }

  private notifyLeaderChange(leader: Leader): void {
    if (this.pendingStart) return
    for (const listener of [...this.leaderListeners]) listener(leader)
  }

  private notifyTransaction(): void {
    for (const listener of this.transactionListeners) listener()
  }
}
