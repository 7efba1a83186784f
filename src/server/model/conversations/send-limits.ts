import type { PersonLimit } from '../../../shared/protocol/define.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'

/** What a message costs its sender, their address, or both. */
export interface SendCost {
  ofUser?: PersonLimit
  ofAddress: PersonLimit
  points: number
}

/**
 * Takes what a message costs. Returns 0, or the milliseconds until there is enough of all. Root admins are exempt; owners
 * and admins of a room are not.
 * @param address null when it cannot be attributed to the sender (http/client-address.ts)
 */
export function consumeSendLimits(
  { personLimiters, clock }: Pick<AppContext, 'personLimiters' | 'clock'>,
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  address: string | null,
  costs: readonly SendCost[],
): number {
  if (role === 'rootadmin') return 0
  const group = address === null ? null : addressGroup(address)
  const charges = costs
    .filter(({ points }) => points > 0)
    .flatMap(({ ofUser, ofAddress, points }): Charge[] => [
      ...(ofUser ? [{ limit: ofUser, key: userId, points }] : []),
      ...(group === null ? [] : [{ limit: ofAddress, key: group, points }]),
    ])
  return personLimiters.consumeAll(charges, clock())
}
