import type { Logger } from 'pino'
import type { Reader } from '../database/read.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import type { CommandEnvelope, CommandOutcome, WriterClient } from '../database/writer-client.ts'
import { CoalescingThrottle } from '../throttle.ts'
import type { WriteRoute } from './command-router.ts'
import type { ClusterClock, LinkClient, LinkServer } from './link/link-protocol.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import { RemoteWriter } from './remote-writer.ts'
import type { LogTailer } from './replication/log-tailer.ts'
import type { Position } from './replication/position.ts'
import type { PositionWaiter } from './replication/position-waiter.ts'
import type { TermLedger } from './replication/primary-terms.ts'
import { ReplicaAcks } from './replication/replica-acks.ts'
import type { ReplicationLag } from './replication/replication-lag.ts'
import type { ReplicationStatus } from './replication/replication-status.ts'
import { serveRemoteCommands } from './serve-remote-commands.ts'
import type { TopologyListeners } from './topology.ts'

/** After a lost batch LiteFS says who leads now. Where it still says that we do, the door is opened again after this. */
const REOPEN_DELAY_MS = 300
/** What could not be read, because LiteFS held the file, is read after this. */
const READ_RETRY_MS = 250
/** How often the primary learns how far this region has come, at most. */
const POSITION_REPORT_INTERVAL_MS = 20
/** How long a question to the primary, or to other regions, may take. */
const REQUEST_TIMEOUT_MS = 5_000
/** A region that reaches nobody serves what it has after this. */
const READY_TIMEOUT_MS = 10_000
/** What only the primary has is fetched before the lease is taken over, if it does not take longer. */
const PROMOTION_FETCH_TIMEOUT_MS = 500
/** How long it may take to have everything when the lease is offered: with fetching less than TAKE_OVER_MS. */
const CATCH_UP_TIMEOUT_MS = 1_000
/** Longer than this the lease is not offered to one region before the next is asked. */
const HANDOVER_TIMEOUT_MS = 2_000

export interface ClusterMemberOptions {
  region: string
  litefs: LiteFsClient
  writer: Pick<WriterClient, 'openDatabase' | 'submit' | 'closeDatabase'>
  linkServer: LinkServer
  linkClient: LinkClient
  clock: ClusterClock
  logTailer: LogTailer
  positionWaiter: PositionWaiter
  replicationLag: ReplicationLag
  termLedger: TermLedger
  reader: Reader
  /** How far the local database has come. */
  localPosition: () => Position
  /** Throws when the database was migrated for newer code. */
  checkMigrations: () => void
  onUnacknowledged: () => void
  /** Nothing can go on: the database is not one for this code. */
  onFatal: (error: unknown) => void
  log: Logger
}

/** One of several regions on LiteFS: leads while it has the lease, and else holds on to whoever has it. */
export class ClusterMember implements ReplicationStatus {
  private readonly options: ClusterMemberOptions
  /** Given to `start`: this region has no role before. */
  private listeners!: TopologyListeners
  private readonly remoteWriter: RemoteWriter
  private readonly replicaAcks: ReplicaAcks
  private readonly reportThrottle = new CoalescingThrottle(POSITION_REPORT_INTERVAL_MS, () => this.reportPosition())
  private currentRoute: WriteRoute | null = null
  private isPrimary = false
  private linkedPrimary: { region: string; url: string } | null = null
  private isReconciling = false
  private isReconcileDue = false
  private isReady = false
  private isHandingOver = false
  private isClosed = false
  private readonly readyTimer: NodeJS.Timeout
  private retryTimer: NodeJS.Timeout | null = null

  constructor(options: ClusterMemberOptions) {
    this.options = options
    const { linkServer, linkClient } = options
    this.remoteWriter = new RemoteWriter(linkClient)
    this.replicaAcks = new ReplicaAcks(linkServer)
    serveRemoteCommands({
      linkServer: linkServer,
      submit: (order, confirm) => this.submitLocally(order, confirm),
      localPosition: options.localPosition,
    })
    this.listenToPrimary(linkClient)
    this.readyTimer = setTimeout(() => this.linkedPrimary === null && this.markReady(), READY_TIMEOUT_MS)
    this.readyTimer.unref()
  }

  /** Follows LiteFS from now on. Resolves when this region has its first role. */
  start(listeners: TopologyListeners): Promise<void> {
    this.listeners = listeners
    const { litefs } = this.options
    litefs.onTransaction(() => this.handleTransaction())
    litefs.onLeaderChange(() => void this.reconcileRole())
    this.handleTransaction()
    return this.reconcileRole()
  }

  /** The way to the writer as it is now. */
  writeRoute(): WriteRoute | null {
    return this.currentRoute
  }

  role(): 'primary' | 'replica' {
    return this.isPrimary ? 'primary' : 'replica'
  }

  primaryRegion(): string | null {
    return this.isPrimary ? this.options.region : (this.linkedPrimary?.region ?? null)
  }

  /** Where the sites of the regions are that are linked to this one. */
  siteUrls(): string[] {
    const { linkServer } = this.options
    return this.isPrimary
      ? linkServer.regions().map(({ url }) => url)
      : this.linkedPrimary
        ? [this.linkedPrimary.url]
        : []
  }

  position(): Position {
    return this.options.localPosition()
  }

  lagMs(): number | null {
    return this.isPrimary || this.linkedPrimary ? this.options.replicationLag.lagMs() : null
  }

  notReadyReason(): string | null {
    return this.isReady ? null : 'catching up with the primary'
  }

  async waitUntilFresh(): Promise<boolean> {
    if (this.isPrimary) return true
    if (!this.linkedPrimary) return false
    const there = await this.remoteWriter.getPrimaryPosition()
    return there !== null && this.options.positionWaiter.waitFor(there, REQUEST_TIMEOUT_MS)
  }

  /** Brings this region in line with who leads, one change after another. */
  async reconcileRole(): Promise<void> {
    this.isReconcileDue = true
    if (this.isReconciling) return
    this.isReconciling = true
    try {
      while (this.isReconcileDue && !this.isClosed) {
        this.isReconcileDue = false
        await this.applyLeader()
      }
    } catch (error) {
      this.options.onFatal(error)
    } finally {
      this.isReconciling = false
    }
  }

  /** A batch was lost: the door has shut itself. */
  handleLeaseLost(): void {
    if (!this.isPrimary) return
    this.setPrimary(false)
    setTimeout(() => void this.reconcileRole(), REOPEN_DELAY_MS).unref()
  }

  /** Hands the lease to a region that has everything, if this one leads and another is there. */
  async handOver(): Promise<void> {
    const { linkServer, writer, log } = this.options
    const candidates = linkServer.regions().filter((region) => region.isCandidate)
    if (!this.isPrimary || candidates.length === 0) return
    this.isHandingOver = true
    this.currentRoute = null
    const position = await writer.closeDatabase()
    candidates.sort((a, b) => ((a.position()?.txid ?? '') < (b.position()?.txid ?? '') ? 1 : -1))
    for (const { region, send } of candidates) {
      send({ kind: 'handOver', position })
      if (await this.waitForLeaderChange()) return void log.info({ region }, 'handed the lease over')
      log.warn({ region }, 'a region did not take the lease over')
    }
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.readyTimer)
    this.options.litefs.close()
    this.options.linkClient.close()
    this.options.linkServer.close()
    this.remoteWriter.failAll()
  }

  private async applyLeader(): Promise<void> {
    const { litefs, linkClient } = this.options
    const leader = litefs.leader()
    if (leader.is === 'self') return this.becomePrimary()
    if (this.isPrimary) {
      this.setPrimary(false)
      await this.options.writer.closeDatabase()
      if (this.isClosed) return
    }
    this.options.termLedger.reportLostEvents(this.options.reader)
    // Where nobody is known to lead, whoever led may still be there: LiteFS says so again once it is reached.
    if (leader.is === 'other') linkClient.connectTo(leader.url)
  }

  private async becomePrimary(): Promise<void> {
    if (this.isPrimary) return
    const { writer, linkClient, clock, litefs, logTailer } = this.options
    linkClient.connectTo(null)
    const opened = await writer.openDatabase({ clockOffsetMs: clock.offsetMs() })
    if (this.isClosed) return
    if (opened !== 'leaseLost') this.options.termLedger.beginTerm(this.options.reader, opened)
    if (opened === 'leaseLost' || litefs.leader().is !== 'self') {
      if (opened !== 'leaseLost') await writer.closeDatabase()
      setTimeout(() => void this.reconcileRole(), REOPEN_DELAY_MS).unref()
      return
    }
    logTailer.publishToEnd()
    this.setPrimary(true)
    // Not awaited: what it writes may have to wait for the next change of the leader, which waits for this.
    void this.listeners.onPromoted().then(() => this.markReady())
  }

  /** Takes the primary's place, or leaves it. */
  private setPrimary(leads: boolean): void {
    if (this.isPrimary === leads) return
    const { linkServer, replicationLag, log } = this.options
    log.info({ region: this.options.region, leads }, leads ? 'this region leads' : 'this region leads no more')
    this.isPrimary = leads
    this.currentRoute = leads ? { isLocal: true, submit: (order, confirm) => this.submitLocally(order, confirm) } : null
    linkServer.setAccepting(leads)
    if (leads) replicationLag.reset()
    this.listeners.onWriteRouteChange()
  }

  private async submitLocally(order: CommandEnvelope, confirm: boolean): Promise<CommandOutcome> {
    if (!this.isPrimary || this.isHandingOver) return 'indeterminate'
    const carried = await this.options.writer.submit(order)
    if (carried === 'indeterminate') this.handleLeaseLost()
    else if (
      confirm &&
      'answer' in carried &&
      !(await this.replicaAcks.waitForAck(carried.position, REQUEST_TIMEOUT_MS))
    )
      this.options.onUnacknowledged()
    return carried
  }

  private listenToPrimary(dialler: LinkClient): void {
    dialler.onMessage((message) => {
      if (message.kind === 'position') this.options.replicationLag.recordPrimaryPosition(message.position)
      if (message.kind === 'handOver') void this.acceptHandover(message.position)
      else this.remoteWriter.handleMessage(message)
    })
    dialler.onLinked((hub) => {
      this.linkedPrimary = hub
      this.currentRoute = { isLocal: false, submit: (order, confirm) => this.remoteWriter.submit(order, confirm) }
      this.reportPosition()
      void this.becomeReady()
      this.listeners.onWriteRouteChange()
    })
    dialler.onUnlinked(() => {
      this.linkedPrimary = null
      if (!this.isPrimary) this.currentRoute = null
      this.remoteWriter.failAll()
      this.listeners.onWriteRouteChange()
    })
  }

  /** The primary ends and asks this region to go on, once it has everything. */
  private async acceptHandover(position: Position): Promise<void> {
    const { positionWaiter, litefs, log } = this.options
    const asker = this.linkedPrimary
    if (!(await positionWaiter.waitFor(position, CATCH_UP_TIMEOUT_MS))) return
    await Promise.race([
      this.listeners.onBeforePromotion(),
      new Promise((resolve) => setTimeout(resolve, PROMOTION_FETCH_TIMEOUT_MS)),
    ])
    // Whoever asked has turned to another region by now.
    if (asker === null || this.linkedPrimary !== asker) return
    await litefs.promote().catch((error: Error) => log.warn({ err: error }, 'the lease could not be taken over'))
  }

  private waitForLeaderChange(): Promise<boolean> {
    const { litefs } = this.options
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), HANDOVER_TIMEOUT_MS)
      const look = () => {
        if (litefs.leader().is === 'self') return
        clearTimeout(timer)
        resolve(true)
      }
      litefs.onLeaderChange(look)
      look()
    })
  }

  /** Something new is visible here, or was and could not be read. */
  private handleTransaction(): void {
    try {
      this.applyTransaction()
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
      this.retryTimer ??= setTimeout(() => {
        this.retryTimer = null
        if (!this.isClosed) this.handleTransaction()
      }, READ_RETRY_MS)
    }
  }

  private applyTransaction(): void {
    const { logTailer, positionWaiter, replicationLag, localPosition, checkMigrations } = this.options
    checkMigrations()
    this.listeners.onTransaction()
    logTailer.publishNew()
    positionWaiter.resolveReached()
    replicationLag.recordLocalPosition(localPosition())
    if (this.isPrimary) return
    // The leap that begins a reign of our own comes before we are told that it began: it is no other region's.
    if (this.options.litefs.leader().is !== 'self') this.options.termLedger.reportLostEvents(this.options.reader)
    this.reportThrottle.schedule()
  }

  private reportPosition(): void {
    if (this.linkedPrimary) this.options.linkClient.send({ kind: 'position', position: this.options.localPosition() })
  }

  /** People are sent here once this region has shown, on this line, what the primary had. */
  private async becomeReady(): Promise<void> {
    const hub = this.linkedPrimary
    while (!this.isReady && !this.isClosed && this.linkedPrimary === hub)
      if (await this.waitUntilFresh()) this.markReady()
  }

  private markReady(): void {
    this.isReady = true
  }
}
