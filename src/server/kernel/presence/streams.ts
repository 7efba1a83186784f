import type { Role } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { defineStream, defineStreamFamily, type Stream } from '../database/events/streams.ts'

/** Presence events for root admins. */
export const rootAdminStream = defineStream('admins')
/** Presence events for all other users. */
export const visitorStream = defineStream('visitors')

/** The stream of a room, received by the connections that are in it. */
export const roomStream = defineStreamFamily<RoomId>('room')

/** User counts of all rooms, for connections that watch them. */
export const roomCountStream = defineStream('roomCounts')
/** User counts of the busiest rooms. */
export const busiestRoomCountStream = defineStream('busiestRoomCounts')

/** The presence of one user, for connections that watch it, such as those with an open profile. */
export const watchedUserStream = defineStreamFamily<UserId>('watchedUser')

/** The stream of site presence: names for root admins, counts for others. */
export function presenceStreamFor(role: Role): Stream {
  return role === 'rootadmin' ? rootAdminStream : visitorStream
}
