import type { ProfilePart } from '../../model/profiles/queries.ts'
import { createdRoomsOf } from '../../model/rooms/queries.ts'

/** The rooms that a user has created, for those who may see the profile. */
export const profilePart: ProfilePart = (reader, { user, status }) => ({
  createdRooms: status.canViewProfile ? reader.all(createdRoomsOf, { ownerId: user.id, limit: MAX_CREATED_ROOMS }) : [],
})

/** The most rooms in one profile. */
const MAX_CREATED_ROOMS = 50
