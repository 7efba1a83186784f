import { compareNames } from '../../shared/presence/order.ts'
import { live } from '../live/state.ts'
import { askForPeople } from '../rooms/people.ts'
import { FoundPeople, type PeopleFinder } from './found-people.ts'

/** The people of the room that this tab is in, as the server finds them. */
const finder: PeopleFinder = {
  ask: async (filter, after) =>
    live.roomId === null ? null : await askForPeople(live, { roomId: live.roomId, after, ...filter }),
  order: compareNames,
}

/** Whom the search in the people of a large room finds. */
export const roomSearch = new FoundPeople(finder)

const isHere = (roomId: number): boolean => roomId === live.roomId
live.on('user-joined', ({ roomId, user }) => isHere(roomId) && roomSearch.joined(user))
live.on('user-left', ({ roomId, username }) => isHere(roomId) && roomSearch.left(username))
live.on('userStatusChanged', ({ username, isOnline }) => roomSearch.statusChanged(username, isOnline))
live.on('userUpdated', ({ user }) => roomSearch.updated(user))
// So much has changed that it was not told one by one, or the line was lost in between.
live.on('users-in-room', ({ roomId }) => isHere(roomId) && roomSearch.lookAgain())
