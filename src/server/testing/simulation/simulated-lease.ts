import type { SimulatedNetwork } from './simulated-network.ts'

/** Consul's place in the network. */
export const CONSUL_NODE = 'consul'
/** Source: docs/decisions/0008, "Life cycle": how long a primary survives without Consul, and how long nobody gets the lease. */
const HOLDER_GRACE_MS = 10_000
const LEASE_TTL_MS = 20_000

/** Who asks for the lease: a region's LiteFS, anew at each of its starts. */
export interface LeaseHolder {
  readonly name: string
}

/** The lease over who writes: static, for the region of that name, or kept by Consul. */
export class SimulatedLease {
  private readonly network: SimulatedNetwork
  private readonly staticHolderName: string | null
  private holder: LeaseHolder | null = null
  private renewedAt = 0

  constructor(network: SimulatedNetwork, isStaticFor: string | null) {
    this.network = network
    this.staticHolderName = isStaticFor
  }

  get isStatic(): boolean {
    return this.staticHolderName !== null
  }

  /** The name of who it says is the primary; null when it says nobody; undefined when it cannot be asked. */
  holderAsSeenBy(name: string): string | null | undefined {
    if (this.staticHolderName !== null) return this.staticHolderName
    if (this.network.isPartitioned(name, CONSUL_NODE)) return undefined
    return this.isHeld() ? (this.holder?.name ?? null) : null
  }

  /** True when it is the asker's now. */
  acquire(asker: LeaseHolder): boolean {
    if (this.staticHolderName !== null) return asker.name === this.staticHolderName
    if (this.network.isPartitioned(asker.name, CONSUL_NODE) || this.isHeld()) return false
    this.assign(asker)
    return true
  }

  /** Whether the holder may go on; `renewed` is when it was told so last. */
  renew(holder: LeaseHolder, renewed: number): number | 'lost' {
    if (this.staticHolderName !== null) return Date.now()
    const isCut = this.network.isPartitioned(holder.name, CONSUL_NODE)
    if (isCut) return Date.now() - renewed > HOLDER_GRACE_MS ? 'lost' : renewed
    if (this.holder !== holder || !this.isHeld()) return 'lost'
    this.renewedAt = Date.now()
    return this.renewedAt
  }

  /** The holder gives it away: nobody renews or frees it until somebody takes what this answers, or it runs out. */
  startHandover(holder: LeaseHolder): LeaseHolder {
    const onItsWay = { name: holder.name }
    if (this.holder === holder) this.holder = onItsWay
    return onItsWay
  }

  /** False where what was on its way has run out meanwhile. */
  completeHandover(next: LeaseHolder, onItsWay: LeaseHolder): boolean {
    if (this.holder !== onItsWay || !this.isHeld()) return false
    this.assign(next)
    return true
  }

  /** The holder ends in order, or only its site was killed. */
  release(holder: LeaseHolder): void {
    if (this.holder === holder && !this.network.isPartitioned(holder.name, CONSUL_NODE)) this.holder = null
  }

  private assign(holder: LeaseHolder): void {
    this.holder = holder
    this.renewedAt = Date.now()
  }

  private isHeld(): boolean {
    return this.holder !== null && Date.now() - this.renewedAt <= LEASE_TTL_MS
  }
}
