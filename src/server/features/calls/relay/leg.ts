import type { Source } from './source-table.ts'
import type { LegCredentials, LegIndex, RelayLimits } from './worker-protocol.ts'

/** Packets that a leg may send before both legs have a nominated source: the first flights of DTLS. */
const MAX_EARLY_PACKETS = 8
/** Addresses of one leg that have checked in; a browser has a few, one for each of its interfaces. */
const MAX_SOURCES = 8
/** Credentials that are valid side by side: those that are in use, and those of the latest restarts. */
const MAX_CREDENTIALS = 3
/** Checks that are remembered against replay from another address: at one every 2.5 s those of 40 minutes. */
const MAX_TRANSACTIONS = 1_024

/** Credentials as the worker uses them. */
export interface Credential {
  leg: Leg
  usernameFragment: string
  /** The password as HMAC key. */
  key: Buffer
}

interface EarlyPacket {
  source: Source
  data: Buffer
}

/** Counts in each second; `now` is in milliseconds. */
class SecondCount {
  private second = 0
  private count = 0

  read(now: number): number {
    return Math.trunc(now / 1_000) === this.second ? this.count : 0
  }

  /** Adds one. Returns how many there are. */
  take(now: number): number {
    this.count = this.read(now) + 1
    this.second = Math.trunc(now / 1_000)
    return this.count
  }
}

/** One side of a call in the worker. All its collections are bounded. */
export class Leg {
  readonly slot: number
  readonly index: LegIndex
  /** The other side; set once both exist. */
  other!: Leg
  /** The source of the latest nomination, or a nominated one that sends: the only one that gets packets. */
  nominated: Source | null = null
  readonly sources: Source[] = []
  readonly credentials: Credential[] = []
  private early: EarlyPacket[] = []
  private readonly transactions = new Uint32Array(MAX_TRANSACTIONS)
  private transactionCount = 0
  private packetTokens: number
  private byteTokens: number
  private refilledAt = 0
  private readonly checks = new SecondCount()
  private readonly strangerChecks = new SecondCount()

  constructor(slot: number, index: LegIndex, limits: RelayLimits) {
    this.slot = slot
    this.index = index
    this.packetTokens = limits.packetsPerSecond
    this.byteTokens = limits.bytesPerSecond
  }

  /** Adds credentials. Returns those that are no longer valid because there are too many. */
  addCredential({ usernameFragment, password }: LegCredentials): { added: Credential; removed: Credential[] } {
    const added = { leg: this, usernameFragment, key: Buffer.from(password, 'latin1') }
    this.credentials.push(added)
    // The first may be in use; of the later ones, the oldest was replaced by a newer restart.
    const removed = this.credentials.length > MAX_CREDENTIALS ? this.credentials.splice(1, 1) : []
    return { added, removed }
  }

  /** Ends and returns the credentials from before this one, which the browser uses. */
  endCredentialsBefore(credential: Credential): Credential[] {
    return this.credentials.splice(0, Math.max(0, this.credentials.indexOf(credential)))
  }

  /** Adds a source. Returns the one that it replaces, if there are too many. */
  addSource(source: Source): Source | null {
    this.sources.push(source)
    if (this.sources.length <= MAX_SOURCES) return null
    const oldest = this.sources.findIndex((known) => known !== this.nominated)
    return this.sources.splice(oldest, 1)[0] ?? null
  }

  /** Takes the packets and bytes of one packet from the leg's token bucket. Returns whether it had enough. `now` in ms. */
  takeTokens(bytes: number, now: number, limits: RelayLimits): boolean {
    const seconds = Math.min(1, (now - this.refilledAt) / 1_000)
    this.refilledAt = now
    this.packetTokens = Math.min(limits.packetsPerSecond, this.packetTokens + seconds * limits.packetsPerSecond)
    this.byteTokens = Math.min(limits.bytesPerSecond, this.byteTokens + seconds * limits.bytesPerSecond)
    if (this.packetTokens < 1 || this.byteTokens < bytes) return false
    this.packetTokens -= 1
    this.byteTokens -= bytes
    return true
  }

  /** Counts one check from a source that has checked in. Returns whether the leg may still send one in the second of `now`. */
  takeCheck(now: number, { checksPerLeg }: RelayLimits): boolean {
    return this.checks.take(now) <= checksPerLeg
  }

  /**
   * Whether another source may send a check in the second of `now`. A leg whose credentials are used from many addresses
   * leaves the budget of all to other legs.
   */
  hasStrangerCheck(now: number, { strangerChecksPerLeg }: RelayLimits): boolean {
    return this.strangerChecks.read(now) < strangerChecksPerLeg
  }

  /** Counts a check of another source. */
  takeStrangerCheck(now: number): void {
    this.strangerChecks.take(now)
  }

  /** Keeps a packet until both legs have a nominated source. Returns false when as many are kept as may be. */
  keepEarly(source: Source, data: Buffer): boolean {
    if (this.early.length >= MAX_EARLY_PACKETS) return false
    // A copy: a packet over TCP is a view of a whole chunk.
    this.early.push({ source, data: Buffer.from(data) })
    return true
  }

  /** Returns the kept packets of sources that have nominated themselves and forgets all. */
  takeEarly(): Buffer[] {
    if (this.early.length === 0) return []
    const packets = this.early.filter(({ source }) => source.hasNominated).map(({ data }) => data)
    this.early = []
    return packets
  }

  /** Whether a check with this transaction came before. */
  hasSeenTransaction(transaction: number): boolean {
    return this.transactions.subarray(0, Math.min(this.transactionCount, MAX_TRANSACTIONS)).includes(transaction)
  }

  rememberTransaction(transaction: number): void {
    this.transactions[this.transactionCount++ % MAX_TRANSACTIONS] = transaction
  }
}
