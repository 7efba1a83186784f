import { isIPv6 } from 'node:net'
import type { RelayLimits } from './worker-protocol.ts'

/** Addresses that are counted in one second; more wait for the next. */
const MAX_ADDRESSES = 4_096

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
    if (count >= this.limits.strangerChecksPerAddress || this.byAddress.size >= MAX_ADDRESSES) return false
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

/** What one machine can send from: an IPv4 address, or the 64-bit prefix of an IPv6 address. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const words = head === '' ? [] : head.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - words.length - tail.split(':').length) }, () => '0')
  return [...words, ...(address.includes('::') ? zeros : [])].slice(0, 4).join(':')
}
