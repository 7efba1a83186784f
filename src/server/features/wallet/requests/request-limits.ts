import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { ADDRESS_REQUEST_LIMIT } from '../../../../shared/wallet/requests/limits.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import { addressCharges } from '../../../kernel/http/address-charges.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'

/** Counts a new request for its address, if that can be attributed; the route's limiter counts it for the person. */
export function consumeRequestLimit(
  { config, personLimiters, clock }: AppContext,
  context: NodeContext,
): Refusal | null {
  const waitMs = personLimiters.consumeAll(addressCharges(config, context, ADDRESS_REQUEST_LIMIT, 1), clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}
