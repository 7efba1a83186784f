import type { PersonLimit } from '../../../shared/protocol/define.ts'
import type { Settings } from '../config.ts'
import type { Charge } from '../limits/person-limiters.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import type { NodeContext } from './node-app.ts'

/** The charge of the client's address; none if the address cannot be attributed to the client. */
export function addressCharges(settings: Settings, { env }: NodeContext, limit: PersonLimit, points: number): Charge[] {
  const address = attributableAddress(settings, env.incoming)
  return address === null ? [] : [{ limit, key: addressGroup(address), points }]
}
