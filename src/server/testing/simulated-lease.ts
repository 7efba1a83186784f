import type { SimulatedNetwork } from './simulated-network.ts'

/** Consul's place in the network. */
export const CONSUL = 'consul'
/** Source: docs/decisions/0008, "Life and death": a primary without Consul goes on for so long, and so long nobody is let in. */
const HOLDER_GOES_ON_MS = 10_000
const OTHERS_WAIT_MS = 20_000

/** Who asks for the lease: a region's LiteFS, anew at each of its starts. */
export interface Claimant {
  readonly name: string
}

/** The lease over who writes: static, for the region of that name, or kept by Consul. */
export class SimulatedLease {
  private readonly network: SimulatedNetwork
  private readonly isStaticFor: string | null
  private holder: Claimant | null = null
  private renewedAt = 0

  constructor(network: SimulatedNetwork, isStaticFor: string | null) {
    this.network = network
    this.isStaticFor = isStaticFor
  }

  get isStatic(): boolean {
    return this.isStaticFor !== null
  }

  /** The name of who it says is the primary; null when it says nobody; undefined when it cannot be asked. */
  holderSeenBy(name: string): string | null | undefined {
    if (this.isStaticFor !== null) return this.isStaticFor
    if (this.network.isCut(name, CONSUL)) return undefined
    return this.isHeld() ? (this.holder?.name ?? null) : null
  }

  /** True when it is the asker's now. */
  acquire(asker: Claimant): boolean {
    if (this.isStaticFor !== null) return asker.name === this.isStaticFor
    if (this.network.isCut(asker.name, CONSUL) || this.isHeld()) return false
    this.hold(asker)
    return true
  }

  /** Whether the holder may go on; `renewed` is when it was told so last. */
  renew(holder: Claimant, renewed: number): number | 'gone' {
    if (this.isStaticFor !== null) return Date.now()
    const isCut = this.network.isCut(holder.name, CONSUL)
    if (isCut) return Date.now() - renewed > HOLDER_GOES_ON_MS ? 'gone' : renewed
    if (this.holder !== holder || !this.isHeld()) return 'gone'
    this.renewedAt = Date.now()
    return this.renewedAt
  }

  /** The holder gives it away: nobody renews or frees it until somebody takes what this answers, or it runs out. */
  handOff(holder: Claimant): Claimant {
    const onItsWay = { name: holder.name }
    if (this.holder === holder) this.holder = onItsWay
    return onItsWay
  }

  /** False where what was on its way has run out meanwhile. */
  take(next: Claimant, onItsWay: Claimant): boolean {
    if (this.holder !== onItsWay || !this.isHeld()) return false
    this.hold(next)
    return true
  }

  /** The holder ends in order, or only its site was killed. */
  free(holder: Claimant): void {
    if (this.holder === holder && !this.network.isCut(holder.name, CONSUL)) this.holder = null
  }

  private hold(holder: Claimant): void {
    this.holder = holder
    this.renewedAt = Date.now()
  }

  private isHeld(): boolean {
    return this.holder !== null && Date.now() - this.renewedAt <= OTHERS_WAIT_MS
  }
}
