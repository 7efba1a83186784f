import { addressGroup } from '../../../kernel/http/client-address.ts'
import type { RelayLimits } from './worker-protocol.ts'

/** Bounds the integrity checks of sources that have not checked in, by address and in all, in windows of one second. */
export class CheckBudget {
  private readonly limits: RelayLimits
  private readonly byAddress = new Map<string, number>()
  private second = 0
  private total = 0

  constructor(limits: RelayLimits) {
    this.limits = limits
  }

  /** Takes one check of this address. Returns false when the budget of the second is spent. */
  take(address: string, now: number): boolean {
    const second = Math.trunc(now / 1_000)
    if (second !== this.second) this.reset(second)
    if (this.total >= this.limits.strangerChecks) return false
    const key = addressGroup(address)
    const count = this.byAddress.get(key) ?? 0
    if (count >= this.limits.strangerChecksPerAddress) return false
    this.byAddress.set(key, count + 1)
    this.total++
    return true
  }

  private reset(second: number): void {
    this.second = second
    this.total = 0
    if (this.byAddress.size > 0) this.byAddress.clear()
  }
}
