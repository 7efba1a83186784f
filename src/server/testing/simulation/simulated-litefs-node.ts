import type Sqlite from 'better-sqlite3'
import type { Leader } from '../../kernel/database/leader.ts'
import type { LiteFsClient } from '../../kernel/regions/litefs/litefs-client.ts'
import { StableLeader } from '../../kernel/regions/replication/stable-leader.ts'
import { type Commit, commitsSince, createCommit } from './commit-history.ts'
import type { SeededRandom } from './seeded-random.ts'
import { createOrderedDelay } from './simulated-clock.ts'
import { interceptCommits, type TransactionChange } from './simulated-database-file.ts'
import type { LeaseHolder } from './simulated-lease.ts'
import type { SimulatedMount } from './simulated-litefs.ts'
import type { SocketEnd } from './simulated-network.ts'

/** Interval of the checks of lease and stream; LiteFS's reconnect-delay. */
const POLL_MS = 250
const HEARTBEAT_MS = 1_000
/** A stream without a message for this long is dropped. */
const SILENCE_MS = 10_000
const PROMOTION_TIMEOUT_MS = 5_000
/** Maximum delay between a change and its notification. */
const MAX_NOTIFY_DELAY_MS = 5

type ToReplica =
  | { kind: 'transaction'; committed: Commit }
  | { kind: 'snapshot'; committed: Commit; whole: Buffer }
  | { kind: 'heartbeat'; sentAt: number }
  | { kind: 'lease'; lease: LeaseHolder }
type ToPrimary = { kind: 'position'; latest: Commit | null } | { kind: 'promote' }

/** A connected replica; it receives transactions once it has sent its position. */
interface Subscriber {
  socket: SocketEnd<ToReplica, ToPrimary>
  isStreaming: boolean
}

/** One run of a region's LiteFS, from its start to its end. */
export class SimulatedLiteFsNode implements LiteFsClient, LeaseHolder {
  isPrimary = false
  private readonly mount: SimulatedMount
  private readonly random: SeededRandom
  private readonly pollTimer: NodeJS.Timeout
  private readonly subscribers = new Set<Subscriber>()
  private stream: SocketEnd<ToPrimary, ToReplica> | null = null
  private streamReceivedAt = 0
  private heartbeatAt: number | null = null
  private lastHeartbeatSentAt = 0
  private renewedAt = 0
  private hasEnded = false
  private readonly stableLeader = new StableLeader((leader) => this.notifyLeader(leader))
  private announced: Leader = { is: 'nobody' }
  /** LiteFS's event stream: notifications arrive late but in order. */
  private readonly notifyInOrder = createOrderedDelay(() => this.random.integer(0, MAX_NOTIFY_DELAY_MS))
  private leaderListeners: ((leader: Leader) => void)[] = []
  private transactionListeners: (() => void)[] = []

  constructor(mount: SimulatedMount, random: SeededRandom) {
    this.mount = mount
    this.random = random
    this.pollTimer = setInterval(() => this.poll(), POLL_MS)
    this.poll()
  }

  get name(): string {
    return this.mount.name
  }

  leader(): Leader {
    return this.stableLeader.leader()
  }

  txid(): string {
    return this.mount.lastCommit?.txid ?? ''
  }

  onLeaderChange(listener: (leader: Leader) => void): void {
    this.leaderListeners.push(listener)
  }

  onTransaction(listener: () => void): void {
    this.transactionListeners.push(listener)
  }

  lagMs(): number | null {
    if (this.isPrimary) return 0
    return this.heartbeatAt === null ? null : Date.now() - this.heartbeatAt
  }

  async promote(): Promise<void> {
    if (this.isPrimary) return
    if (!this.mount.region.isCandidate) throw new Error('not eligible to become primary')
    if (!this.stream) throw new Error('no primary is currently available for handoff, cannot promote')
    this.stream.send({ kind: 'promote' })
    await new Promise<void>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('handoff failed: it took too long')), PROMOTION_TIMEOUT_MS)
      const checkLeader = () => {
        if (this.leader().is !== 'self') return
        clearTimeout(timeout)
        this.leaderListeners = this.leaderListeners.filter((listener) => listener !== checkLeader)
        resolve()
      }
      this.leaderListeners.push(checkLeader)
      checkLeader()
    })
  }

  close(): void {
    this.leaderListeners = []
    this.transactionListeners = []
  }

  /** Attaches the site's writing connection: its commits are replicated, or fail after the lease is lost. */
  attachWriter(db: Sqlite.Database): void {
    const canCommit = () => this.isPrimary && !this.hasEnded
    interceptCommits(db, { canCommit, onCommit: (change) => this.commit(change) })
  }

  /**
   * `graceful`, also when the site under it ended: frees the lease at once, and messages in flight may arrive.
   * `killed`: the lease stays until it expires. In both cases notifications stop, and later commits fail.
   */
  stop(mode: 'graceful' | 'killed'): void {
    if (mode === 'graceful') this.mount.liteFs.options.lease.release(this)
    this.hasEnded = true
    this.isPrimary = false
    clearInterval(this.pollTimer)
    this.stableLeader.close()
    this.close()
    this.stream?.drop()
    this.stream = null
    const isSent = mode === 'graceful' && this.random.isLikely(0.5)
    for (const { socket } of this.subscribers) isSent ? socket.close() : socket.drop()
    this.subscribers.clear()
    this.mount.node = null
  }

  private poll(): void {
    if (this.isPrimary) this.renewLease()
    else if (this.stream === null) this.findPrimary()
    else if (Date.now() - this.streamReceivedAt > SILENCE_MS) this.dropStream()
  }

  private renewLease(): void {
    const renewed = this.mount.liteFs.options.lease.renew(this, this.renewedAt)
    if (renewed === 'lost') {
      this.stepDown()
      return
    }
    this.renewedAt = renewed
    if (Date.now() - this.lastHeartbeatSentAt < HEARTBEAT_MS) return
    this.lastHeartbeatSentAt = Date.now()
    for (const { socket } of this.subscribers) socket.send({ kind: 'heartbeat', sentAt: this.lastHeartbeatSentAt })
  }

  private stepDown(): void {
    this.isPrimary = false
    for (const { socket } of this.subscribers) socket.close()
    this.subscribers.clear()
    this.announce({ is: 'nobody' })
  }

  private findPrimary(): void {
    const { lease } = this.mount.liteFs.options
    const holder = lease.holderAsSeenBy(this.name)
    // A former primary may still be named as the holder: it has no primary to follow.
    const isFree = holder === null || holder === this.name
    if (isFree && this.mount.region.isCandidate && lease.acquire(this)) this.becomePrimary()
    else if (isFree || holder === undefined) this.announce({ is: 'nobody' })
    else this.follow(this.mount.liteFs.mountOf(holder))
  }

  private follow({ region, node }: SimulatedMount): void {
    this.announce({ is: 'other', url: region.url })
    if (node?.isPrimary && !this.mount.liteFs.options.network.isPartitioned(this.name, region.name)) this.connect(node)
    // While the primary is unreachable, LiteFS alternates between naming it and naming none.
    else this.announce({ is: 'nobody' })
  }

  private becomePrimary(): void {
    this.isPrimary = true
    this.renewedAt = Date.now()
    this.stream?.drop()
    this.stream = null
    this.announce({ is: 'self' })
  }

  private connect(primary: SimulatedLiteFsNode): void {
    const sockets = this.mount.liteFs.options.network.openSocketPair<ToPrimary, ToReplica>(this.name, primary.name)
    const stream = sockets.a
    primary.subscribe(sockets.b)
    this.stream = stream
    this.streamReceivedAt = Date.now()
    stream.onMessage = (message) => {
      if (this.stream === stream) this.onStreamMessage(message)
    }
    stream.onClose = () => {
      if (this.stream === stream) this.stream = null
    }
    stream.send({ kind: 'position', latest: this.mount.lastCommit })
  }

  private dropStream(): void {
    this.stream?.drop()
    this.stream = null
    this.announce({ is: 'nobody' })
  }

  private onStreamMessage(message: ToReplica): void {
    this.streamReceivedAt = Date.now()
    if (message.kind === 'heartbeat') this.heartbeatAt = message.sentAt
    else if (message.kind === 'lease') {
      if (this.mount.liteFs.options.lease.completeHandover(this, message.lease)) this.becomePrimary()
    } else if (message.kind === 'snapshot') {
      this.mount.restoreSnapshot(message.committed, message.whole)
      this.scheduleNotification(() => this.notifyTransaction())
    } else if (message.committed.parent === this.mount.lastCommit) {
      this.mount.file.apply(message.committed.change)
      this.mount.lastCommit = message.committed
      this.scheduleNotification(() => this.notifyTransaction())
    } else this.dropStream()
  }

  private subscribe(socket: SocketEnd<ToReplica, ToPrimary>): void {
    const subscriber: Subscriber = { socket, isStreaming: false }
    this.subscribers.add(subscriber)
    socket.onClose = () => this.subscribers.delete(subscriber)
    socket.onMessage = (message) => {
      if (!this.isPrimary) return
      if (message.kind === 'position') this.sendMissingCommits(subscriber, message.latest)
      else this.handOverLease(subscriber)
    }
  }

  /** Sends missing commits one by one, or a snapshot when too many are missing or the histories differ. */
  private sendMissingCommits(subscriber: Subscriber, known: Commit | null): void {
    const { lastCommit, file, liteFs } = this.mount
    subscriber.isStreaming = true
    if (!lastCommit || lastCommit === known) return
    const missing = commitsSince(known, lastCommit, liteFs.options.retainedCommits)
    if (missing) for (const committed of missing) subscriber.socket.send({ kind: 'transaction', committed })
    else subscriber.socket.send({ kind: 'snapshot', committed: lastCommit, whole: file.serialize() })
  }

  /** Sends the lease after all transactions and steps down. */
  private handOverLease(subscriber: Subscriber): void {
    const { lease } = this.mount.liteFs.options
    if (lease.isStatic) return
    subscriber.socket.send({ kind: 'lease', lease: lease.startHandover(this) })
    this.stepDown()
  }

  private commit(change: TransactionChange): void {
    const committed = createCommit(this.mount.lastCommit, change)
    this.mount.lastCommit = committed
    for (const { socket, isStreaming } of this.subscribers)
      if (isStreaming) socket.send({ kind: 'transaction', committed })
    this.scheduleNotification(() => this.notifyTransaction())
  }

  private announce(leader: Leader): void {
    const { announced } = this
    if (leader.is === announced.is && leaderUrl(leader) === leaderUrl(announced)) return
    this.announced = leader
    this.scheduleNotification(() => this.stableLeader.update(leader))
  }

  private notifyLeader(leader: Leader): void {
    for (const listener of [...this.leaderListeners]) listener(leader)
  }

  private notifyTransaction(): void {
    for (const listener of [...this.transactionListeners]) listener()
  }

  private scheduleNotification(notify: () => void): void {
    this.notifyInOrder(() => this.hasEnded || notify())
  }
}

function leaderUrl(leader: Leader): string | null {
  return leader.is === 'other' ? leader.url : null
}
