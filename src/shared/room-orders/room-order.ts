import * as v from 'valibot'
import { Count, type PersonLimit } from '../protocol/define.ts'
import { CapacityOptionId, DurationOptionId } from '../protocol/ids.ts'
import { Lira } from '../wallet/lira.ts'

/** Orders and renewals. */
export const ROOM_ORDER_LIMIT: PersonLimit = { points: 10, perMs: 60_000 }

/** Questions whether a name is free, asked while it is typed. */
export const ROOM_NAME_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }

/** What was bought last for a room (specification 2, point 3); null for a room that was not ordered. */
export const roomOrderFields = {
  capacityOptionId: v.nullable(CapacityOptionId),
  durationOptionId: v.nullable(DurationOptionId),
  /** In months. */
  duration: v.nullable(Count),
  /** A fraction from 0 to 1. */
  discount: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  price: v.nullable(Lira),
}

/** The price that was shown to the buyer, in lira. */
export const ShownPrice = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100_000_000)))
