import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { ADDRESS_REQUEST_LIMIT } from '../../../shared/wallet/request-limits.ts'
import type { AppContext } from '../../app-context.ts'
import { addressGroup, attributableAddress } from '../../http/client-address.ts'
import type { NodeContext } from '../../http/route.ts'

/** Counts a new request for its address, if that can be attributed; the route's limiter counts it for the person. */
export function chargeRequest({ settings, personLimiters, clock }: AppContext, { env }: NodeContext): Refusal | null {
  const address = attributableAddress(settings, env.incoming)
  if (address === null) return null
  const charge = { limit: ADDRESS_REQUEST_LIMIT, key: addressGroup(address), points: 1 }
  const waitMs = personLimiters.consumeAll([charge], clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}
