import type { Logger } from 'pino'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { CommandRegistry } from '../database/commands/command-registry.ts'
import type { Position } from '../database/position.ts'
import type { Reader } from '../database/read.ts'
import type { CommandOutcome, WriterClient } from '../database/writer-client.ts'
import { CoalescingThrottle } from '../limits/throttle.ts'
import type { WriteRoute } from './command-router.ts'
import { acceptLease, offerLease } from './handover.ts'
import type { LinkClient } from './link/link-client.ts'
import type { LinkServer } from './link/link-server.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import { RemoteWriter, serveRemoteCommands } from './remote-commands.ts'
import { BusyRetry } from './replication/busy-retry.ts'
import type { ClusterClock } from './replication/cluster-clock.ts'
import type { LogTailer } from './replication/log-tailer.ts'
import type { PositionWaiter } from './replication/position-waiter.ts'
import type { TermHistory } from './replication/primary-terms.ts'
import { Readiness } from './replication/readiness.ts'
import { ReplicaAcks } from './replication/replica-acks.ts'
import type { ReplicationLag } from './replication/replication-lag.ts'
import type { ReplicationStatus } from './replication/replication-status.ts'
import type { TopologyListeners } from './topology.ts'

/** After a lost lease LiteFS names the next primary. If it still names this region, the database is opened again after this. */
const REOPEN_DELAY_MS = 300
/** The position is reported to the primary at most this often. */
const POSITION_REPORT_INTERVAL_MS = 20
/** Limit of a position request, and of the wait for another region's acknowledgement. */
const REQUEST_TIMEOUT_MS = 5_000

export interface ClusterMemberOptions {
  region: string
  commands: Pick<CommandRegistry, 'byName'>
  litefs: LiteFsClient
  writer: Pick<WriterClient, 'openDatabase' | 'submit' | 'closeDatabase' | 'onCommit'>
  linkServer: Pick<LinkServer, 'regions' | 'onMessage' | 'setAccepting' | 'close'>
  linkClient: Pick<LinkClient, 'connectTo' | 'send' | 'onMessage' | 'onLinked' | 'onUnlinked' | 'close'>
  clock: ClusterClock
  logTailer: Pick<LogTailer, 'publishNew' | 'publishToEnd'>
  positionWaiter: PositionWaiter
  replicationLag: ReplicationLag
  termLedger: Pick<TermHistory, 'beginTerm' | 'recordCommit' | 'reportLostEvents' | 'close'>
  reader: Reader
  /** The replication position of the local database. */
  localPosition: () => Position
  /** Throws when the database was migrated for newer code. */
  checkMigrations: () => void
  onUnacknowledged: () => void
  /** The region cannot go on: the database does not fit this code. */
  onFatal: (error: unknown) => void
  log: Logger
}

/** One of several regions on LiteFS: the primary while it has the lease, otherwise a replica linked to the primary. */
export class ClusterMember implements ReplicationStatus {
  private readonly options: ClusterMemberOptions
  /** Set by `start`; before it this region has no role. */
  private listeners!: TopologyListeners
  private readonly remoteWriter: RemoteWriter
  private readonly replicaAcks: ReplicaAcks
  private readonly reportThrottle = new CoalescingThrottle(POSITION_REPORT_INTERVAL_MS, () => this.reportPosition())
  private currentRoute: WriteRoute | null = null
  private isPrimary = false
  private linkedPrimary: { region: string; url: string } | null = null
  private isReconciling = false
  private isReconcileDue = false
  private isHandingOver = false
  private isClosed = false
  private readonly readiness = new Readiness(() => this.linkedPrimary !== null)
  private readonly transactionRead = new BusyRetry(() => this.applyTransaction())

  constructor(options: ClusterMemberOptions) {
    this.options = options
    const { commands, linkServer, linkClient, localPosition, writer, termLedger } = options
    this.remoteWriter = new RemoteWriter(linkClient)
    this.replicaAcks = new ReplicaAcks(linkServer)
    serveRemoteCommands({ commands, linkServer, submit: this.submitLocally, localPosition })
    writer.onCommit((_events, position) => termLedger.recordCommit(position))
    linkClient.onMessage((message) => {
      if (message.kind === 'position') options.replicationLag.recordPrimaryPosition(message.position)
      if (message.kind === 'handOver') void this.acceptHandover(message.position)
      else this.remoteWriter.handleMessage(message)
    })
    linkClient.onLinked((primary) => this.handleLinked(primary))
    linkClient.onUnlinked(() => this.handleUnlinked())
  }

  /** Follows LiteFS from now on. Resolves when this region has its first role. */
  start(listeners: TopologyListeners): Promise<void> {
    this.listeners = listeners
    const { litefs } = this.options
    litefs.onTransaction(() => this.transactionRead.run())
    litefs.onLeaderChange(() => void this.reconcileRole())
    this.transactionRead.run()
    return this.reconcileRole()
  }

  writeRoute(): WriteRoute | null {
    return this.currentRoute
  }

  role(): 'primary' | 'replica' {
    return this.isPrimary ? 'primary' : 'replica'
  }

  primaryRegion(): string | null {
    return this.isPrimary ? this.options.region : (this.linkedPrimary?.region ?? null)
  }

  peerSiteUrls(): string[] {
    if (this.isPrimary) return this.options.linkServer.regions().map(({ url }) => url)
    return this.linkedPrimary ? [this.linkedPrimary.url] : []
  }

  position(): Position {
    return this.options.localPosition()
  }

  lagMs(): number | null {
    return this.isPrimary || this.linkedPrimary ? this.options.replicationLag.lagMs() : null
  }

  notReadyReason(): string | null {
    return this.readiness.notReadyReason()
  }

  async waitUntilFresh(): Promise<boolean> {
    if (this.isPrimary) return true
    if (!this.linkedPrimary) return false
    const primaryPosition = await this.remoteWriter.getPrimaryPosition()
    return primaryPosition !== null && this.options.positionWaiter.waitFor(primaryPosition, REQUEST_TIMEOUT_MS)
  }

  /** Hands the lease to another region if this one is the primary and a candidate is linked. */
  async handOver(): Promise<void> {
    const { litefs, linkServer, writer, log } = this.options
    const regions = linkServer.regions()
    if (!this.isPrimary || !regions.some(({ isCandidate }) => isCandidate)) return
    this.isHandingOver = true
    this.currentRoute = null
    await offerLease({ litefs, regions, position: await writer.closeDatabase(), log })
  }

  close(): void {
    this.isClosed = true
    this.readiness.close()
    this.transactionRead.close()
    this.options.litefs.close()
    this.options.linkClient.close()
    this.options.linkServer.close()
    this.remoteWriter.failAll()
    this.options.termLedger.close()
  }

  /** Applies what LiteFS says about the leader, one change after another. */
  private async reconcileRole(): Promise<void> {
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
    // Without a known leader the former one may still run, so its link is kept.
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
    // Not awaited: its commands may have to wait for the next change of the leader, which waits for this.
    void this.listeners.onPromoted().then(() => this.readiness.markReady())
  }

  private setPrimary(isPrimary: boolean): void {
    if (this.isPrimary === isPrimary) return
    const { region, linkServer, replicationLag, log } = this.options
    log.info({ region, isPrimary }, isPrimary ? 'became primary' : 'stepped down')
    this.isPrimary = isPrimary
    this.currentRoute = isPrimary ? { isLocal: true, submit: this.submitLocally } : null
    linkServer.setAccepting(isPrimary)
    if (isPrimary) replicationLag.reset()
    this.listeners.onWriteRouteChange()
  }

  private readonly submitLocally = async (
    envelope: CommandEnvelope,
    awaitReplicaAck: boolean,
  ): Promise<CommandOutcome> => {
    if (!this.isPrimary || this.isHandingOver) return 'indeterminate'
    const outcome = await this.options.writer.submit(envelope)
    if (outcome === 'indeterminate') this.handleLeaseLost()
    else if (awaitReplicaAck && 'answer' in outcome) {
      const isAcknowledged = await this.replicaAcks.waitForAck(outcome.position, REQUEST_TIMEOUT_MS)
      if (!isAcknowledged) this.options.onUnacknowledged()
    }
    return outcome
  }

  /** The lease went during a batch: the writer has closed the database. */
  private handleLeaseLost(): void {
    if (!this.isPrimary) return
    this.setPrimary(false)
    setTimeout(() => void this.reconcileRole(), REOPEN_DELAY_MS).unref()
  }

  private handleLinked(primary: { region: string; url: string }): void {
    this.linkedPrimary = primary
    this.currentRoute = { isLocal: false, submit: (envelope, ack) => this.remoteWriter.submit(envelope, ack) }
    this.reportPosition()
    void this.readiness.waitForPrimaryState(
      () => this.linkedPrimary === primary,
      () => this.waitUntilFresh(),
    )
    this.listeners.onWriteRouteChange()
  }

  private handleUnlinked(): void {
    this.linkedPrimary = null
    if (!this.isPrimary) this.currentRoute = null
    this.remoteWriter.failAll()
    this.listeners.onWriteRouteChange()
  }

  private async acceptHandover(position: Position): Promise<void> {
    const { litefs, positionWaiter, log } = this.options
    const primary = this.linkedPrimary
    const isStillOffered = () => primary !== null && this.linkedPrimary === primary
    const fetchFiles = this.listeners.onBeforePromotion
    await acceptLease({ litefs, position, positionWaiter, fetchFiles, isStillOffered, log })
  }

  /** One or more transactions became visible in this region. */
  private applyTransaction(): void {
    const { litefs, logTailer, positionWaiter, replicationLag, termLedger, reader, localPosition } = this.options
    this.options.checkMigrations()
    this.listeners.onTransaction()
    logTailer.publishNew()
    positionWaiter.resolveReached()
    replicationLag.recordLocalPosition(localPosition())
    if (this.isPrimary) return
    // A term of this region begins with a transaction of its own before LiteFS announces it as the leader.
    if (litefs.leader().is !== 'self') termLedger.reportLostEvents(reader)
    this.reportThrottle.schedule()
  }

  private reportPosition(): void {
    if (this.linkedPrimary) this.options.linkClient.send({ kind: 'position', position: this.options.localPosition() })
  }
}
