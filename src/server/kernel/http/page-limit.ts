import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import type { NodeContext } from './node-app.ts'
import { refusalResponse } from './route.ts'

/** What an address may use at once, in seconds of its allowance. */
const BURST_SECONDS = 20

type LimitContext = Pick<AppContext, 'config' | 'monotonicNow'>

/**
 * Limits the CPU time in which pages are made, by address: each page is charged what it took.
 * An address in debt gets RateLimited instead of a page. An address that cannot be attributed to a client is not limited.
 */
export class PageLimit {
  private readonly context: LimitContext
  private readonly readCpuMs: () => number
  private readonly cpuMs: ReturnType<typeof createRateLimiter>

  /** @param readCpuMs the CPU time of this thread so far; unlike elapsed time it does not grow with the load of the machine */
  constructor(context: LimitContext, readCpuMs = threadCpuMs) {
    const { pageCpuMsPerSecond, limitScale } = context.config
    this.context = context
    this.readCpuMs = readCpuMs
    this.cpuMs = createRateLimiter({
      points: pageCpuMsPerSecond * BURST_SECONDS * limitScale,
      perMs: BURST_SECONDS * 1_000,
    })
  }

  /** The page that `make` makes, or the refusal. */
  run(context: NodeContext, make: () => Response): Response {
    const { config, monotonicNow } = this.context
    const address = attributableAddress(config, context.env.incoming)
    if (address === null) return make()
    const key = addressGroup(address)
    const waitMs = this.cpuMs.overdraw(key, monotonicNow(), 0)
    if (waitMs > 0) return refusalResponse(context, refuse('RateLimited', { waitMs }))
    const startedMs = this.readCpuMs()
    try {
      return make()
    } finally {
      this.cpuMs.overdraw(key, monotonicNow(), this.readCpuMs() - startedMs)
    }
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
