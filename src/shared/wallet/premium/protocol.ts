import * as v from 'valibot'
import { type PersonLimit, route, Time } from '../../protocol/define.ts'
import { Lira } from '../lira.ts'

const PREMIUM_LIMIT: PersonLimit = { points: 10, perMs: 60_000 }

export const routes = {
  upgradeToPremium: route({
    description:
      'Buys premium for the days and the price of `GET /users/premium-cost`; premium that is left is kept. `price`, if ' +
      'given, is the one that was shown: another one is refused with `PriceChanged`, and nothing is charged.',
    method: 'POST',
    path: '/users/upgrade-to-premium',
    access: 'member',
    limiter: PREMIUM_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ price: v.optional(Lira) }),
    answer: v.object({ success: v.literal(true), message: v.string(), premiumExpiryDate: Time }),
  }),
}
