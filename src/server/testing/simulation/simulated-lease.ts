import type { SimulatedNetwork } from './simulated-network.ts'

/** Consul's name in the simulated network. */
export const CONSUL_NODE = 'consul'
/** Source: docs/decisions/0008, "Life cycle": how long a primary lasts without Consul, and how long a lease lasts without renewal. */
const HOLDER_GRACE_MS = 10_000
const LEASE_TTL_MS = 20_000

/** A run of a region's LiteFS; each start is a new holder. */
export interface LeaseHolder {
  readonly name: string
}

/** The lease of the primary: static for one region, or kept by Consul. */
export class SimulatedLease {
  private readonly network: SimulatedNetwork
  private readonly staticHolderName: string | null
  private holder: LeaseHolder | null = null
  private renewedAt = 0

  constructor(network: SimulatedNetwork, staticHolderName: string | null) {
    this.network = network
    this.staticHolderName = staticHolderName
  }

  get isStatic(): boolean {
    return this.staticHolderName !== null
  }

  /** The primary's name; null when the lease is free; undefined when Consul is unreachable. */
  holderAsSeenBy(name: string): string | null | undefined {
    if (this.staticHolderName !== null) return this.staticHolderName
    if (this.network.isPartitioned(name, CONSUL_NODE)) return undefined
    return this.isHeld() ? (this.holder?.name ?? null) : null
  }

  /** Tries to acquire the lease. True on success. */
  acquire(candidate: LeaseHolder): boolean {
    if (this.staticHolderName !== null) return candidate.name === this.staticHolderName
    if (this.network.isPartitioned(candidate.name, CONSUL_NODE) || this.isHeld()) return false
    this.assign(candidate)
    return true
  }

  /** Renews the lease. Returns the time of the last renewal, or `lost`. */
  renew(holder: LeaseHolder, lastRenewedAt: number): number | 'lost' {
    if (this.staticHolderName !== null) return Date.now()
    const isCut = this.network.isPartitioned(holder.name, CONSUL_NODE)
    if (isCut) return Date.now() - lastRenewedAt > HOLDER_GRACE_MS ? 'lost' : lastRenewedAt
    if (this.holder !== holder || !this.isHeld()) return 'lost'
    this.renewedAt = Date.now()
    return this.renewedAt
  }

  /** Starts a handover: the lease is bound to the returned token until `completeHandover` or its expiry. */
  startHandover(holder: LeaseHolder): LeaseHolder {
    const token = { name: holder.name }
    if (this.holder === holder) this.holder = token
    return token
  }

  /** Completes a handover. False after the token's expiry. */
  completeHandover(next: LeaseHolder, token: LeaseHolder): boolean {
    if (this.holder !== token || !this.isHeld()) return false
    this.assign(next)
    return true
  }

  /** Frees the lease: the holder ends gracefully, or only its site was killed. */
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
