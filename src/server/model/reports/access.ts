import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import {
  ADDRESS_REPORT_LIMIT,
  ADDRESS_REPORTS_PER_DAY_LIMIT,
  REPORTS_PER_DAY_LIMIT,
} from '../../../shared/reports/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { addressCharges } from '../../kernel/http/address-charges.ts'
import type { NodeContext } from '../../kernel/http/node-app.ts'

/**
 * Takes the cost of a report of any kind, beside that of its route: its user's of a day, and its address's. Refuses with
 * RateLimited.
 */
export function consumeReportLimit(
  { config, personLimiters, clock }: AppContext,
  { userId }: Actor,
  context: NodeContext,
): Refusal | null {
  const charges = [
    { limit: REPORTS_PER_DAY_LIMIT, key: userId, points: 1 },
    ...addressCharges(config, context, ADDRESS_REPORT_LIMIT, 1),
    ...addressCharges(config, context, ADDRESS_REPORTS_PER_DAY_LIMIT, 1),
  ]
  const waitMs = personLimiters.consumeAll(charges, clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}
