import { Refusal } from '../../shared/protocol/refusals.ts'
import { live } from '../live/state.ts'
import { FoundPeople, type PeopleSource } from './found-people.ts'

const byName = new Intl.Collator('tr').compare

/** The people of the room that this tab is in, as the server finds them. */
const source: PeopleSource = {
  async ask(filter, after) {
    const { roomId } = live
    if (roomId === null) return null
    const answer = await live.request('getRoomUsers', { roomId, after, ...filter })
    if (typeof answer === 'string' || answer instanceof Refusal) return null
    return { users: answer.users, total: answer.total, next: answer.users.at(-1)?.username ?? null }
  },
  order: (a, b) => byName(a.username, b.username),
}

/** Whom the search in the people of a large room finds. */
export const roomSearch = new FoundPeople(source)

const isHere = (roomId: number): boolean => roomId === live.roomId
live.on('user-joined', ({ roomId, user }) => isHere(roomId) && roomSearch.joined(user))
live.on('user-left', ({ roomId, username }) => isHere(roomId) && roomSearch.left(username))
live.on('userStatusChanged', ({ username, isOnline }) => roomSearch.statusChanged(username, isOnline))
live.on('userUpdated', ({ user }) => roomSearch.updated(user))
// So much has changed that it was not told one by one, or the line was lost in between.
live.on('users-in-room', ({ roomId }) => isHere(roomId) && roomSearch.lookAgain())
