import { ADDRESS_CALL_LIMIT, ADDRESS_SAME_USER_CALL_LIMIT, CALL_LIMIT } from '../../../shared/calls/limits.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'

/**
 * What a call costs its caller and their address, in their region. The calls to one user are counted by the host
 * (call-host.ts).
 * @param address null when it cannot be attributed to the caller (http/client-address.ts)
 */
export function callCharges(callerId: UserId, calleeId: UserId, address: string | null): Charge[] {
  const charges: Charge[] = [{ limit: CALL_LIMIT, key: callerId, points: 1 }]
  if (address === null) return charges
  const group = addressGroup(address)
  return [
    ...charges,
    { limit: ADDRESS_CALL_LIMIT, key: group, points: 1 },
    { limit: ADDRESS_SAME_USER_CALL_LIMIT, key: `${group}>${calleeId}`, points: 1 },
  ]
}
