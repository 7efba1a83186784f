import * as v from 'valibot'
import { Count, Time } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'

/** A room in 'Oda Siparişlerim'. */
export const OwnRoom = v.object({
  id: RoomId,
  name: v.string(),
  activeUsers: Count,
  capacity: Count,
  isList: v.boolean(),
  isActive: v.boolean(),
  ownerId: v.nullable(UserId),
  expiryDate: v.nullable(Time),
})
export type OwnRoom = v.InferOutput<typeof OwnRoom>

/** The most rooms that a member may own, deactivated ones counted: a list of them is one answer. */
export const MAX_OWNED_ROOMS = 50
/** The most rooms in the list of those that a member is an admin of; the latest are shown. */
export const MAX_LISTED_ADMIN_ROOMS = 200
