import { compareNames } from '../../../shared/presence/name-order.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { UserSearch, type UserSearchSource } from '../../core/presence/user-search.ts'
import { fetchRoomUsers } from '../../model/rooms/room-users.ts'

/** Searches the people of this tab's room on the server. */
const roomPeopleSource: UserSearchSource = {
  fetchPage: async (filter, after) =>
    live.roomId === null ? null : await fetchRoomUsers(live, { roomId: live.roomId, after, ...filter }),
  compareNames: compareNames,
}

/** The search in the people of a large room. */
export const roomPeopleSearch = new UserSearch(roomPeopleSource)

const isShownRoom = (roomId: RoomId): boolean => roomId === live.roomId
live.on('user-joined', ({ roomId, user }) => isShownRoom(roomId) && roomPeopleSearch.addUser(user))
live.on('user-left', ({ roomId, username }) => isShownRoom(roomId) && roomPeopleSearch.removeUser(username))
live.on('userStatusChanged', ({ username, isOnline }) => roomPeopleSearch.setOnlineStatus(username, isOnline))
live.on('userUpdated', ({ user }) => roomPeopleSearch.updateUser(user))
// Sent instead of single changes when there are too many, and after a lost connection.
live.on('users-in-room', ({ roomId }) => isShownRoom(roomId) && roomPeopleSearch.refresh())
