import { basename } from 'node:path'
import type { Logger } from 'pino'
import { LeaderBelief } from './leader-belief.ts'
import { LiteFsEvents, type LiteFsLine } from './litefs-events.ts'
import { isMountDead, readMounted } from './mount.ts'

/** Who may write, as LiteFS says: `url` is where that region's site takes the link. */
export type Leader = { is: 'self' } | { is: 'other'; url: string } | { is: 'nobody' }

/** LiteFS under this region, as the site sees it. */
export interface LiteFs {
  leader(): Leader
  /** The local database's transaction, 16 hex digits; `''` where there is no database yet. */
  txid(): string
  /** Called at every change of the leader. */
  onLeader(listener: (leader: Leader) => void): void
  /** Something new became visible here: one transaction, many, or a snapshot. */
  onTransaction(listener: () => void): void
  /** Milliseconds behind the primary by LiteFS's own heartbeat; null while it was never connected. */
  lagMs(): number | null
  /** Asks LiteFS to make this region the primary; resolves when it is. Rejects when it is refused or takes too long. */
  promote(): Promise<void>
  close(): void
}

export interface LiteFsOptions {
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
const FIRST_LINE_MS = 10_000
/** A handover took up to 0.3 s (decision 0008). */
const PROMOTE_MS = 5_000
/** What LiteFS says of its lag before its first connection to a primary. */
const NEVER_CONNECTED = 2 ** 31 - 1

/** Resolves when LiteFS has said who leads. Rejects when it does not in time, or is dead already. */
export async function connectLiteFs(options: LiteFsOptions): Promise<LiteFs> {
  const litefs = new MountedLiteFs(options)
  try {
    await litefs.start()
  } catch (error) {
    litefs.close()
    throw error
  }
  return litefs
}

/** What decision 0008 (docs/decisions) says of events and files of the mount is the source of everything here. */
class MountedLiteFs implements LiteFs {
  private readonly options: LiteFsOptions
  private readonly database: string
  private readonly events: LiteFsEvents
  private readonly belief: LeaderBelief
  private readonly leaderListeners = new Set<(leader: Leader) => void>()
  private readonly transactionListeners: (() => void)[] = []
  private starting: { resolve: () => void; reject: (error: Error) => void } | null = null
  private isBroken = false
  private isClosed = false

  constructor(options: LiteFsOptions) {
    this.options = options
    this.database = basename(options.databaseFile)
    this.belief = new LeaderBelief((leader) => this.tellLeader(leader))
    this.events = new LiteFsEvents(options.url, {
      lines: (lines) => this.heard(lines),
      broken: (error, isRefused) => this.lostTouch(error, isRefused),
    })
  }

  async start(): Promise<void> {
    const { url } = this.options
    const said = new Promise<void>((resolve, reject) => {
      this.starting = { resolve, reject }
    })
    const late = setTimeout(
      () => this.starting?.reject(new Error(`LiteFS does not say at ${url}/events who the primary is`)),
      FIRST_LINE_MS,
    )
    this.events.open()
    try {
      await said
    } finally {
      clearTimeout(late)
      this.starting = null
    }
  }

  leader(): Leader {
    return this.belief.leader()
  }

  txid(): string {
    const text = this.read(`${this.database}-pos`) ?? ''
    const txid = /^[0-9a-f]{16}(?=\/)/.exec(text)?.[0] ?? ''
    // A database that was created and has no transaction yet.
    return /[^0]/.test(txid) ? txid : ''
  }

  lagMs(): number | null {
    const text = this.read('.lag')
    const lag = text === null ? Number.NaN : Number.parseInt(text, 10)
    return Number.isNaN(lag) || lag === NEVER_CONNECTED ? null : lag
  }

  onLeader(listener: (leader: Leader) => void): void {
    this.leaderListeners.add(listener)
  }

  onTransaction(listener: () => void): void {
    this.transactionListeners.push(listener)
  }

  async promote(): Promise<void> {
    const late = AbortSignal.timeout(PROMOTE_MS)
    const answer = await fetch(`${this.options.url}/promote`, { method: 'POST', signal: late })
    const said = (await answer.text()).trim()
    if (!answer.ok) throw new Error(`LiteFS does not make this region the primary: ${answer.status} ${said}`)
    await this.untilSelf(late)
  }

  close(): void {
    this.isClosed = true
    this.events.close()
    this.belief.close()
  }

  private untilSelf(late: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        const isSelf = this.leader().is === 'self'
        if (!isSelf && !late.aborted) return
        this.leaderListeners.delete(settle)
        late.removeEventListener('abort', settle)
        if (isSelf) resolve()
        else reject(new Error(`this region is not the primary after ${PROMOTE_MS} ms`))
      }
      this.leaderListeners.add(settle)
      late.addEventListener('abort', settle)
      settle()
    })
  }

  /** Lines that came together are told as one: whoever is told reads everything that is new. */
  private heard(lines: LiteFsLine[]): void {
    let hasNews = false
    for (const { type, db, data } of lines) {
      if (type === 'tx' && db === this.database) hasNews = true
      if (type !== 'init' && type !== 'primaryChange') continue
      // What came before the change belongs to the old leader's time. What a break kept from us came before it, too.
      if (hasNews || (type === 'init' && !this.starting)) this.tellTransaction()
      hasNews = false
      this.believe(data)
      if (type === 'init') this.inTouch()
    }
    if (hasNews) this.tellTransaction()
  }

  private believe({ isPrimary = false, hostname = '' }: LiteFsLine['data']): void {
    const url = hostname.replace(/\/+$/, '')
    // Right after a handover the former primary may name itself for a moment.
    const isNobody = url === '' || url === this.options.ownUrl.replace(/\/+$/, '')
    this.belief.told(isPrimary ? { is: 'self' } : isNobody ? { is: 'nobody' } : { is: 'other', url })
  }

  private inTouch(): void {
    if (this.isBroken) this.options.log.info('LiteFS tells of transactions again')
    this.isBroken = false
    this.starting?.resolve()
  }

  private lostTouch(error: Error, isRefused: boolean): void {
    if (isMountDead(this.options.databaseFile, isRefused)) return void this.die(error)
    if (!this.isBroken) this.options.log.warn({ err: error }, 'the stream of LiteFS broke')
    this.isBroken = true
  }

  /** null where there is no such file, or nothing answers: then that was the end. */
  private read(name: string): string | null {
    try {
      return readMounted(this.options.databaseFile, name)
    } catch (error) {
      this.die(error)
      return null
    }
  }

  private die(error: unknown): void {
    if (this.isClosed) return
    this.close()
    if (this.starting) this.starting.reject(new Error('LiteFS is dead', { cause: error }))
    else this.options.onDead()
  }

  private tellLeader(leader: Leader): void {
    if (this.starting) return
    for (const listener of [...this.leaderListeners]) listener(leader)
  }

  private tellTransaction(): void {
    for (const listener of this.transactionListeners) listener()
  }
}
