import type { PersonLimit } from '../../../shared/protocol/define.ts'
import type { Config } from '../config.ts'
import type { Charge } from '../limits/person-limiters.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import type { NodeContext } from './node-app.ts'

/** The charge of the client's address; none if the address cannot be attributed to the client. */
export function addressCharges(config: Config, { env }: NodeContext, limit: PersonLimit, points: number): Charge[] {
  const address = attributableAddress(config, env.incoming)
  return address === null ? [] : [{ limit, key: addressGroup(address), points }]
}
