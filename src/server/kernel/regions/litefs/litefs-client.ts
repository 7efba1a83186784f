import { basename } from 'node:path'
import type { Logger } from 'pino'
import type { Leader } from '../../database/leader.ts'
import { StableLeader } from '../replication/stable-leader.ts'
import { type LiteFsEvent, LiteFsEventStream } from './litefs-events.ts'
import { isMountDead, readMountFile } from './litefs-mount.ts'

/** This region's LiteFS. */
export interface LiteFsClient {
  leader(): Leader
  /** The local database's last transaction, 16 hex digits; `''` without a database. */
  txid(): string
  /** Called at every change of the leader. */
  onLeaderChange(listener: (leader: Leader) => void): void
  /** Called when the local database changed: by one transaction, by many, or by a snapshot. */
  onTransaction(listener: () => void): void
  /** Milliseconds behind the primary by LiteFS's own heartbeat; null before the first connection. */
  lagMs(): number | null
  /** Asks LiteFS for the lease. Resolves when this region is the primary; rejects on a refusal or after 5 s. */
  promote(): Promise<void>
  close(): void
}

export interface LiteFsClientOptions {
  /** Base URL of LiteFS's own HTTP server. */
  url: string
  /** In the mount. Events of other databases are ignored. */
  databaseFile: string
  /** The base URL of this region's site for other regions; LiteFS uses it as the region's host name. */
  ownUrl: string
  log: Pick<Logger, 'info' | 'warn'>
  /**
   * LiteFS has died under the site. Every access to the database now blocks its thread for about 10 s: end the process
   * without closing anything.
   */
  onDead: () => void
}

/** LiteFS starts the site once it serves, so it answers at once. */
const START_TIMEOUT_MS = 10_000
/** A handover took up to 0.3 s (decision 0008). */
const PROMOTE_TIMEOUT_MS = 5_000
/** The lag that LiteFS reports before its first connection to a primary. */
const NEVER_CONNECTED_LAG_MS = 2 ** 31 - 1

/** Resolves when LiteFS has named the leader. Rejects after 10 s, or when LiteFS is dead already. */
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

/** Its source is decision 0008: the events and the mount's files as measured. */
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
      onEvents: (events) => this.handleEvents(events),
      onBroken: (error, isRefused) => this.handleStreamBroken(error, isRefused),
    })
  }

  async start(): Promise<void> {
    const { url } = this.options
    const started = new Promise<void>((resolve, reject) => {
      this.pendingStart = { resolve, reject }
    })
    const timer = setTimeout(
      () => this.pendingStart?.reject(new Error(`LiteFS named no leader at ${url}/events`)),
      START_TIMEOUT_MS,
    )
    this.events.open()
    try {
      await started
    } finally {
      clearTimeout(timer)
      this.pendingStart = null
    }
  }

  leader(): Leader {
    return this.stableLeader.leader()
  }

  txid(): string {
    const text = this.readMountFile(`${this.database}-pos`) ?? ''
    const txid = /^[0-9a-f]{16}(?=\/)/.exec(text)?.[0] ?? ''
    // All zeros: a created database without a transaction.
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
    const timeout = AbortSignal.timeout(PROMOTE_TIMEOUT_MS)
    const response = await fetch(`${this.options.url}/promote`, { method: 'POST', signal: timeout })
    const body = (await response.text()).trim()
    if (!response.ok) throw new Error(`LiteFS refused to promote this region: ${response.status} ${body}`)
    await this.waitUntilPrimary(timeout)
  }

  close(): void {
    this.isClosed = true
    this.events.close()
    this.stableLeader.close()
  }

  private waitUntilPrimary(timeout: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const isSelf = this.leader().is === 'self'
        if (!isSelf && !timeout.aborted) return
        this.leaderListeners.delete(check)
        timeout.removeEventListener('abort', check)
        if (isSelf) resolve()
        else reject(new Error(`this region is not the primary after ${PROMOTE_TIMEOUT_MS} ms`))
      }
      this.leaderListeners.add(check)
      timeout.addEventListener('abort', check)
      check()
    })
  }

  /** Transactions that arrive together are one call: listeners read everything that is new. */
  private handleEvents(events: LiteFsEvent[]): void {
    let hasTransaction = false
    for (const { type, db, data } of events) {
      if (type === 'tx' && db === this.database) hasTransaction = true
      if (type !== 'init' && type !== 'primaryChange') continue
      // Transactions before the change belong to the former leader, also those missed while the stream was broken.
      if (hasTransaction || (type === 'init' && !this.pendingStart)) this.notifyTransaction()
      hasTransaction = false
      this.updateLeader(data)
      if (type === 'init') this.handleStreamStarted()
    }
    if (hasTransaction) this.notifyTransaction()
  }

  private updateLeader({ isPrimary = false, hostname = '' }: LiteFsEvent['data']): void {
    const url = hostname.replace(/\/+$/, '')
    // Right after a handover the former primary may briefly name itself.
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

  /** null without such a file, or when the mount is dead, which ends the site. */
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
