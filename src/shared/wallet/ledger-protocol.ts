import * as v from 'valibot'
import { Cursor, loggedEvent, route } from '../protocol/define.ts'
import { BALANCE_READ_LIMIT } from './limits.ts'

/** An amount in lira. */
const Lira = v.pipe(v.number(), v.minValue(0))
/** `balance` is all that the user has; `withdrawable` the part of it that others gave, which alone may be paid out. */
const balanceFields = { balance: Lira, withdrawable: Lira }

export const events = {
  balanceUpdated: loggedEvent({
    description: "The user's balance in lira after a change; to the user's own connections.",
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object(balanceFields),
  }),
}

export const routes = {
  balance: route({
    description: "The sender's balance in lira. Guests have no account.",
    method: 'GET',
    path: '/users/balance',
    access: 'member',
    limiter: BALANCE_READ_LIMIT,
    identityFields: [],
    retry: 'none',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), ...balanceFields, cursor: Cursor }),
  }),
}

type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
