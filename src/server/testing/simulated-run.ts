import type Sqlite from 'better-sqlite3'
import { StableLeader } from '../regions/leader-belief.ts'
import type { Leader, LiteFsClient } from '../regions/litefs.ts'
import type { Chance } from './simulated-chance.ts'
import { type Change, keepCommits } from './simulated-file.ts'
import { type Committed, commitAfter, since } from './simulated-history.ts'
import type { Claimant } from './simulated-lease.ts'
import type { Mount } from './simulated-litefs.ts'
import type { LineEnd } from './simulated-network.ts'
import { inOrder } from './simulated-time.ts'

/** How often a region looks after its lease and its stream; LiteFS's reconnect-delay. */
const LOOK_MS = 250
const HEARTBEAT_MS = 1_000
/** Without a heartbeat for so long a stream is given up. */
const SILENCE_MS = 10_000
const PROMOTION_MS = 5_000
/** What is visible is told of at most so much later. */
const TELLING_MS = 5

type ToReplica =
  | { kind: 'transaction'; committed: Committed }
  | { kind: 'snapshot'; committed: Committed; whole: Buffer }
  | { kind: 'heartbeat'; sentAt: number }
  | { kind: 'lease'; lease: Claimant }
type ToPrimary = { kind: 'here'; latest: Committed | null } | { kind: 'promote' }

/** A region that is connected here; it follows from when it has said where it is. */
interface Subscriber {
  line: LineEnd<ToReplica, ToPrimary>
  follows: boolean
}

/** One run of a region's LiteFS, from its start to its end. */
export class SimulatedRun implements LiteFsClient, Claimant {
  isPrimary = false
  private readonly mount: Mount
  private readonly chance: Chance
  private readonly looking: NodeJS.Timeout
  private readonly subscribers = new Set<Subscriber>()
  private stream: LineEnd<ToPrimary, ToReplica> | null = null
  private streamHeardAt = 0
  private heartbeatAt: number | null = null
  private beatAt = 0
  private renewedAt = 0
  private isOver = false
  private readonly belief = new StableLeader((leader) => this.tellLeader(leader))
  private announced: Leader = { is: 'nobody' }
  /** The event stream: what is visible is told of a moment later, in order. */
  private readonly overStream = inOrder(() => this.chance.whole(0, TELLING_MS))
  private leaderListeners: ((leader: Leader) => void)[] = []
  private transactionListeners: (() => void)[] = []

  constructor(mount: Mount, chance: Chance) {
    this.mount = mount
    this.chance = chance
    this.looking = setInterval(() => this.look(), LOOK_MS)
    this.look()
  }

  get name(): string {
    return this.mount.name
  }

  leader(): Leader {
    return this.belief.leader()
  }

  txid(): string {
    return this.mount.latest?.txid ?? ''
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
      const late = setTimeout(() => reject(new Error('handoff failed: it took too long')), PROMOTION_MS)
      const hear = () => {
        if (this.leader().is !== 'self') return
        clearTimeout(late)
        this.leaderListeners = this.leaderListeners.filter((listener) => listener !== hear)
        resolve()
      }
      this.leaderListeners.push(hear)
      hear()
    })
  }

  close(): void {
    this.leaderListeners = []
    this.transactionListeners = []
  }

  /** The site's own connection for writing: what it commits is replicated, or fails where the lease has gone. */
  keep(db: Sqlite.Database): void {
    const mayCommit = () => this.isPrimary && !this.isOver
    keepCommits(db, { mayCommit, committed: (change) => this.commit(change) })
  }

  /**
   * `inOrder`, or because the site under it ended: the lease is free at once, and what is on its way may arrive.
   * `killed`: nobody frees it. Either way nothing is told to the site any more, and nothing that it writes counts.
   */
  end(how: 'inOrder' | 'killed'): void {
    if (how === 'inOrder') this.mount.all.options.lease.free(this)
    this.isOver = true
    this.isPrimary = false
    clearInterval(this.looking)
    this.belief.close()
    this.close()
    this.stream?.drop()
    this.stream = null
    const isSent = how === 'inOrder' && this.chance.happens(0.5)
    for (const { line } of this.subscribers) isSent ? line.close() : line.drop()
    this.subscribers.clear()
    this.mount.run = null
  }

  private look(): void {
    if (this.isPrimary) this.holdOn()
    else if (this.stream === null) this.findPrimary()
    else if (Date.now() - this.streamHeardAt > SILENCE_MS) this.giveUpStream()
  }

  private holdOn(): void {
    const renewed = this.mount.all.options.lease.renew(this, this.renewedAt)
    if (renewed === 'gone') {
      this.stepDown()
      return
    }
    this.renewedAt = renewed
    if (Date.now() - this.beatAt < HEARTBEAT_MS) return
    this.beatAt = Date.now()
    for (const { line } of this.subscribers) line.send({ kind: 'heartbeat', sentAt: this.beatAt })
  }

  private stepDown(): void {
    this.isPrimary = false
    for (const { line } of this.subscribers) line.close()
    this.subscribers.clear()
    this.announce({ is: 'nobody' })
  }

  private findPrimary(): void {
    const { lease } = this.mount.all.options
    const holder = lease.holderSeenBy(this.name)
    // A region that was the primary may find itself named for a while: that is nobody.
    const isFree = holder === null || holder === this.name
    if (isFree && this.mount.region.isCandidate && lease.acquire(this)) this.becomePrimary()
    else if (isFree || holder === undefined) this.announce({ is: 'nobody' })
    else this.follow(this.mount.all.at(holder))
  }

  private follow({ region, run }: Mount): void {
    this.announce({ is: 'other', url: region.url })
    if (run?.isPrimary && !this.mount.all.options.network.isCut(this.name, region.name)) this.connect(run)
    // While a primary cannot be reached, it is named and taken back in turns.
    else this.announce({ is: 'nobody' })
  }

  private becomePrimary(): void {
    this.isPrimary = true
    this.renewedAt = Date.now()
    this.stream?.drop()
    this.stream = null
    this.announce({ is: 'self' })
  }

  private connect(primary: SimulatedRun): void {
    const line = this.mount.all.options.network.line<ToPrimary, ToReplica>(this.name, primary.name)
    const stream = line.a
    primary.subscribe(line.b)
    this.stream = stream
    this.streamHeardAt = Date.now()
    stream.onMessage = (message) => {
      if (this.stream === stream) this.hear(message)
    }
    stream.onClose = () => {
      if (this.stream === stream) this.stream = null
    }
    stream.send({ kind: 'here', latest: this.mount.latest })
  }

  private giveUpStream(): void {
    this.stream?.drop()
    this.stream = null
    this.announce({ is: 'nobody' })
  }

  private hear(message: ToReplica): void {
    this.streamHeardAt = Date.now()
    if (message.kind === 'heartbeat') this.heartbeatAt = message.sentAt
    else if (message.kind === 'lease') {
      if (this.mount.all.options.lease.take(this, message.lease)) this.becomePrimary()
    } else if (message.kind === 'snapshot') {
      this.mount.become(message.committed, message.whole)
      this.tell(() => this.tellTransaction())
    } else if (message.committed.before === this.mount.latest) {
      this.mount.file.apply(message.committed.change)
      this.mount.latest = message.committed
      this.tell(() => this.tellTransaction())
    } else this.giveUpStream()
  }

  private subscribe(line: LineEnd<ToReplica, ToPrimary>): void {
    const subscriber: Subscriber = { line, follows: false }
    this.subscribers.add(subscriber)
    line.onClose = () => this.subscribers.delete(subscriber)
    line.onMessage = (message) => {
      if (!this.isPrimary) return
      if (message.kind === 'here') this.bringUp(subscriber, message.latest)
      else this.handOver(subscriber)
    }
  }

  /** What the region has not is sent one by one, or as a snapshot where it was away for too long or has what never was. */
  private bringUp(subscriber: Subscriber, known: Committed | null): void {
    const { latest, file, all } = this.mount
    subscriber.follows = true
    if (!latest || latest === known) return
    const missing = since(known, latest, all.options.keeps)
    if (missing) for (const committed of missing) subscriber.line.send({ kind: 'transaction', committed })
    else subscriber.line.send({ kind: 'snapshot', committed: latest, whole: file.whole() })
  }

  /** The lease goes after everything that is on its way there; from now on nobody writes here. */
  private handOver(subscriber: Subscriber): void {
    const { lease } = this.mount.all.options
    if (lease.isStatic) return
    subscriber.line.send({ kind: 'lease', lease: lease.handOff(this) })
    this.stepDown()
  }

  private commit(change: Change): void {
    const committed = commitAfter(this.mount.latest, change)
    this.mount.latest = committed
    for (const { line, follows } of this.subscribers) if (follows) line.send({ kind: 'transaction', committed })
    this.tell(() => this.tellTransaction())
  }

  private announce(leader: Leader): void {
    const { announced } = this
    if (leader.is === announced.is && urlOf(leader) === urlOf(announced)) return
    this.announced = leader
    this.tell(() => this.belief.update(leader))
  }

  private tellLeader(leader: Leader): void {
    for (const listener of [...this.leaderListeners]) listener(leader)
  }

  private tellTransaction(): void {
    for (const listener of [...this.transactionListeners]) listener()
  }

  private tell(what: () => void): void {
    this.overStream(() => this.isOver || what())
  }
}

function urlOf(leader: Leader): string | null {
  return leader.is === 'other' ? leader.url : null
}
